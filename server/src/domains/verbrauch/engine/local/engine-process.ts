/** Entry of the process that adds up pieces of counted calls: what native code does there takes nothing else with it. */
import type { EngineMessage, EngineReport, EngineTask, LocalCopy } from '../messages.ts';

const tell = (report: EngineReport) =>
  new Promise<void>((resolve) => {
    if (process.connected) process.send?.(report, () => resolve());
    else resolve();
  });
const memory = () => process.memoryUsage.rss();
const end = () => process.kill(process.pid, 'SIGKILL');

// The service ends it; a Ctrl-C reaches both.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.on('disconnect', end);

/** Nothing of the engine is read before this: it may not be there for the platform. */
async function open() {
  try {
    await import('@duckdb/node-api');
  } catch (error) {
    await tell({ kind: 'unable', message: String(error) });
    end();
  }
  const { LocalEngine } = await import('./local-engine.ts');
  return LocalEngine.open(JSON.parse(process.argv[2] as string) as LocalCopy);
}

const engine = await open();

async function carryOut(order: EngineTask): Promise<void> {
  const { id } = order;
  try {
    const result = await engine.take(order);
    await tell({ kind: 'done', id, result, memory: memory() });
  } catch (error) {
    const failure = engine.failureOf(error);
    if (failure) await tell({ kind: 'failed', id, failure, memory: memory() });
    else {
      console.error('the local copy of consumption is at fault and is made again:', error);
      end();
    }
  }
}

process.on('message', (instruction: EngineMessage) => {
  if (instruction.kind === 'cancel') engine.cancel(instruction.id);
  else if (instruction.kind === 'stop') engine.close().then(end, end);
  else void carryOut(instruction);
});
await tell({ kind: 'ready' });
