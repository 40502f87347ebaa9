/** How the embedded server is set. */
import { availableMemory, MIB } from '../../memory.ts';

/**
 * An eighth of the memory this process may use, 128 MiB to 2 GiB: the indexes of the latest events should fit, and the rest
 * of the machine is left to others.
 */
export function sharedBuffers(memory: number): string {
  return `${Math.min(2_048, Math.max(128, Math.floor(memory / 8 / MIB)))}MB`;
}

const SETTINGS: Record<string, string> = {
  listen_addresses: '',
  max_connections: '60',
  shared_buffers: sharedBuffers(availableMemory()),
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  wal_buffers: '16MB',
  random_page_cost: '1.1',
  // Statistics of before a burst say one run a Mandant where there are ten thousand: until they are made anew each look reads all of them for each.
  autovacuum_naptime: '10s',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/** What a server of these data files is started with, besides what is the same for all. */
export function flagsOf(cluster: string, more: Record<string, string>): string[] {
  const settings = Object.entries({ ...SETTINGS, ...more });
  return ['-D', cluster, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}
