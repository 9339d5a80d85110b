import { ModalClient } from 'modal';
import { BYTES, report } from './timed.mjs';

const modal = new ModalClient({ logLevel: 'error' });
const app = await modal.apps.fromName('bench', { createIfMissing: true });
const sandbox = await modal.sandboxes.create(app, modal.images.fromRegistry('debian:12-slim'), { timeoutMs: 600000 });
const exec = async (...argv) => {
  const running = await sandbox.exec(argv);
  const [out, , code] = await Promise.all([running.stdout.readBytes(), running.stderr.readText(), running.wait()]);
  if (code !== 0) throw new Error(`exit ${code}`);
  return out.length;
};
const content = new Uint8Array(BYTES).fill(65);
await report({
  echo: () => exec('echo', 'hi'),
  out: async () => { if ((await exec('head', '-c', `${BYTES}`, '/dev/zero')) !== BYTES) throw new Error('cut short'); },
  write: () => sandbox.filesystem.writeBytes(content, '/tmp/big'),
});
