-- The span of the request, or of the call, that created a run: what drives the run is part of the
-- same trace, on whichever instance and however much later. In the notation of W3C Trace Context.
alter table runs add column traceparent text
  constraint runs_traceparent check (traceparent ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$');
