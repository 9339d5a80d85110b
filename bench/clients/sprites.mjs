import { SpritesClient } from '@fly/sprites';
import { BYTES, report } from './timed.mjs';

const client = new SpritesClient(process.env.TOKEN, { baseURL: process.env.BASE });
await client.createSprite('bench-client');
const sprite = client.sprite('bench-client');
const exec = async (...argv) => {
  let heard = 0;
  const running = sprite.spawn(argv[0], argv.slice(1));
  running.stdout.on('data', (data) => (heard += data.length));
  const code = await running.wait();
  if (code !== 0) throw new Error(`exit ${code}`);
  return heard;
};
// Two files: the vendor takes 10 MiB at a time.
const content = Buffer.alloc(BYTES / 2, 65);
const write = async (name) => {
  const answer = await fetch(`${process.env.BASE}/v1/sprites/bench-client/fs/write?path=/tmp/${name}`, {
    method: 'PUT', headers: { authorization: `Bearer ${process.env.TOKEN}` }, body: content,
  });
  if (!answer.ok) throw new Error(`${answer.status}`);
};
await report({
  echo: () => exec('echo', 'hi'),
  out: async () => { if ((await exec('head', '-c', `${BYTES}`, '/dev/zero')) !== BYTES) throw new Error('cut short'); },
  write: async () => { await write('one'); await write('two'); },
});
