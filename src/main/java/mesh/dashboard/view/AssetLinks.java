package mesh.dashboard.view;

/** Addresses that change with the content behind them, so that browsers may keep it for ever. */
public record AssetLinks(String stylesheet, String script, String live, String htmx, String icon) {}
