// Times what a vendor's own client does, for mesh.bench.RemoteExecBench. One line of JSON on standard output.
const WARM_UP = 30;
const RUNS = 200;
export const BYTES = 20 * 1024 * 1024;

const since = (start) => Number(process.hrtime.bigint() - start) / 1e6;

const median = async (what) => {
  for (let run = 0; run < WARM_UP; run++) await what();
  const times = [];
  for (let run = 0; run < RUNS; run++) {
    const start = process.hrtime.bigint();
    await what();
    times.push(since(start));
  }
  times.sort((one, other) => one - other);
  return times[RUNS / 2];
};

const once = async (what) => {
  const start = process.hrtime.bigint();
  await what();
  return since(start);
};

/** echo: runs `echo hi` and hears it; out: hears BYTES; write: writes BYTES into a file. */
export async function report({ echo, out, write }) {
  const figures = { echo: await median(echo), out: await once(out), write: await once(write) };
  console.log(JSON.stringify(figures));
  process.exit(0);
}
