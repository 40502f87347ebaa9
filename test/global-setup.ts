/**
 * One PostgreSQL per test run, in a temporary directory, or the cluster that `CITUS_URL` names; a migrated template that every
 * test file clones.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrate, OWNER_ROLE, startEmbedded } from '#platform/database/index.ts';
import { createLog } from '#platform/log.ts';
import { findNodes, joinNodes, type Node, spread } from './cluster.ts';
import { asSystem, TEMPLATE } from './database.ts';

const log = createLog('error');

async function makeTemplate(nodes: Node[]): Promise<void> {
  for (const node of nodes) {
    await asSystem(node, `DROP DATABASE IF EXISTS ${TEMPLATE} WITH (FORCE)`);
    await asSystem(
      node,
      `CREATE DATABASE ${TEMPLATE} OWNER ${OWNER_ROLE} ENCODING 'UTF8' TEMPLATE template0`,
    );
  }
  if (nodes.length > 1) await joinNodes(nodes, TEMPLATE);
  await migrate({ ...(nodes[0] as Node), user: OWNER_ROLE, database: TEMPLATE }, log);
  // The clock of the machine is relied on, but where a test says otherwise.
  await asSystem(
    nodes[0] as Node,
    `UPDATE uhrstand SET gesehen_am = 'infinity', vergangen_bis = 'infinity'`,
    TEMPLATE,
  );
  if (nodes.length === 1) return;
  await spread(nodes, TEMPLATE);
  // Each database of a cluster is watched over by a process of its own, in whose presence it cannot be copied.
  for (const node of nodes) {
    await asSystem(node, `ALTER DATABASE ${TEMPLATE} ALLOW_CONNECTIONS false`);
    await asSystem(
      node,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${TEMPLATE}'`,
    );
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { CITUS_URL } = process.env;
  if (CITUS_URL) {
    const nodes = await findNodes(CITUS_URL);
    await makeTemplate(nodes);
    project.provide('postgres', nodes);
    return async () => undefined;
  }
  const directory = mkdtempSync(join(tmpdir(), 'zw-test-'));
  const embedded = await startEmbedded(directory, log);
  const nodes = [{ host: embedded.connection.host as string }];
  await makeTemplate(nodes);
  project.provide('postgres', nodes);
  return async () => {
    await embedded.stop();
    rmSync(directory, { recursive: true, force: true });
  };
}
