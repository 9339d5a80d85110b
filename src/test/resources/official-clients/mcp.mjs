// Drives MCP at BASE with the official TypeScript client, as the agent of the run that TOKEN is of.
// Needs: npm i @modelcontextprotocol/sdk@1.32.2
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { finish, step, within } from './check.mjs';

const headers = { Authorization: `Bearer ${process.env.TOKEN}` };
const connect = async () => {
  const made = new Client({ name: 'official', version: '1' });
  await made.connect(new StreamableHTTPClientTransport(new URL('/mcp', process.env.BASE), { requestInit: { headers } }));
  return made;
};
let client;
const call = (name, args, options) => client.callTool({ name, arguments: args }, undefined, options);
const exec = async (script, options) => (await call('workspace_exec', { script }, options)).structuredContent;
/** A promise, and what keeps it. */
const promise = () => { let keep; const made = new Promise((resolve) => (keep = resolve)); return [made, keep]; };

await step('connects', async () => { client = await connect(); return client.getServerVersion().name; }, 'mesh');
await step('is told how to work', async () => client.getInstructions().includes('workspace'), true);
await step('lists tools', async () => {
  const { tools } = await client.listTools();
  return ['workspace_exec', 'workspace_read_file', 'workspace_write_file'].map((name) => tools.find((tool) => tool.name === name)?.inputSchema.type);
}, ['object', 'object', 'object']);
await step('runs a command with live progress', async () => {
  const messages = [];
  const [begun, begin] = promise();
  let over = false;
  const running = exec('echo begun; until [ -e go ]; do sleep 0.05; done; echo ended',
    { onprogress: (it) => { messages.push(it.message); begin(); } });
  running.then(() => (over = true));
  await within(30000, () => begun);
  const early = over;
  // The command ends only now, so its progress came before.
  await call('workspace_write_file', { path: 'go', content: '' });
  const { stdout, exit_code } = await within(30000, () => running);
  return { early, messages, stdout, exit_code };
}, { early: false, messages: ['begun\n', 'ended\n'], stdout: 'begun\nended\n', exit_code: 0 });
await step('cancels another, and its process is gone', async () => {
  const [printed, print] = promise();
  const aborting = new AbortController();
  const running = exec('echo $$; sleep 300 & wait', { onprogress: (it) => print(it.message.trim()), signal: aborting.signal });
  const ended = running.then(() => 'it ended', () => 'cancelled');
  const pid = await within(30000, () => printed);
  const lives = async () => (await exec(`kill -0 ${pid}`)).exit_code === 0;
  const before = await lives();
  aborting.abort('changed my mind');
  const how = await within(5000, () => ended);
  let after = true;
  for (let i = 0; i < 100 && after; i++) after = await lives();
  return { before, how, after };
}, { before: true, how: 'cancelled', after: false });
await step('writes a file and reads it', async () => {
  await call('workspace_write_file', { path: 'notes/a.txt', content: 'héllo ☕\n' });
  const { structuredContent, content } = await call('workspace_read_file', { path: 'notes/a.txt' });
  return [structuredContent.content, JSON.parse(content[0].text).size];
}, ['héllo ☕\n', 11]);
await step('bad arguments are a result to learn from', async () => {
  const { isError, structuredContent } = await call('workspace_exec', { argv: 'true' });
  return [isError, structuredContent.code, structuredContent.pointer];
}, [true, 'arguments_invalid', '/argv']);
await step('two clients of one run do not meet', async () => {
  const other = await connect();
  const [one, two] = await Promise.all([exec('sleep 0.3; echo one'),
    other.callTool({ name: 'workspace_exec', arguments: { script: 'sleep 0.3; echo two' } })]);
  await other.close();
  return [one.stdout, two.structuredContent.stdout];
}, ['one\n', 'two\n']);
await step('after the run nothing is left to call', async () => {
  const body = JSON.stringify({ status: 'completed', summary: 'done' });
  await fetch(new URL('/api/agent/finish', process.env.BASE), { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body });
  try { await client.listTools(); return 'it answered'; } catch (error) { return [error.code, error.message.includes('run_ended')]; }
}, [401, true]);
finish();
