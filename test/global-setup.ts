/**
 * One PostgreSQL per test run, in a temporary directory, or the cluster that `CITUS_URL` names; a migrated template that every
 * test file clones; a migrated data directory that services started by tests copy.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrate, OWNER_ROLE, startEmbedded } from '#platform/database/index.ts';
import { createLog } from '#platform/log.ts';
import { findNodes, joinNodes, type Node, spread } from './cluster.ts';
import { copyData } from './data-template.ts';
import { asSystem, TEMPLATE } from './database.ts';

const log = createLog('error');

/**
 * A database that is made or dropped is looked for in all of its buffers, three times: with those of a service that is half of what it
 * costs, and hundreds are made in a run.
 */
const FEW_BUFFERS = { shared_buffers: '128MB' };

/** The clock of the machine is relied on, but where a test says otherwise. */
const relyOnClock = (node: Node) =>
  asSystem(node, `UPDATE uhrstand SET gesehen_am = 'infinity', vergangen_bis = 'infinity'`, TEMPLATE);

/** On a server whose own database is migrated. */
async function copyTemplate(node: Node): Promise<void> {
  await asSystem(node, `CREATE DATABASE ${TEMPLATE} OWNER ${OWNER_ROLE} TEMPLATE ${OWNER_ROLE}`);
  await relyOnClock(node);
}

/** On the nodes of a cluster, the coordinator first. */
async function makeTemplate(nodes: Node[]): Promise<void> {
  const [coordinator] = nodes as [Node];
  for (const node of nodes) {
    await asSystem(node, `DROP DATABASE IF EXISTS ${TEMPLATE} WITH (FORCE)`);
    await asSystem(
      node,
      `CREATE DATABASE ${TEMPLATE} OWNER ${OWNER_ROLE} ENCODING 'UTF8' TEMPLATE template0`,
    );
  }
  if (nodes.length > 1) await joinNodes(nodes, TEMPLATE);
  await migrate({ ...coordinator, user: OWNER_ROLE, database: TEMPLATE }, log);
  await relyOnClock(coordinator);
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

/** A data directory as the first start of a service leaves it; returns its path. */
async function makeDataDirectory(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'zw-vorlage-'));
  const embedded = await startEmbedded(directory, log);
  await migrate(embedded.connection, log).finally(() => embedded.stop());
  return directory;
}

export default async function startDatabase(project: TestProject): Promise<() => Promise<void>> {
  const template = await makeDataDirectory();
  project.provide('dataTemplate', template);
  const removeTemplate = () => rmSync(template, { recursive: true, force: true });
  const { CITUS_URL } = process.env;
  if (CITUS_URL) {
    const nodes = await findNodes(CITUS_URL);
    await makeTemplate(nodes);
    project.provide('postgres', nodes);
    return async () => removeTemplate();
  }
  const directory = mkdtempSync(join(tmpdir(), 'zw-test-'));
  chmodSync(directory, 0o711);
  copyData(template, directory);
  const embedded = await startEmbedded(directory, log, null, FEW_BUFFERS);
  const node: Node = { host: embedded.connection.host as string };
  await copyTemplate(node);
  project.provide('postgres', [node]);
  return async () => {
    await embedded.stop();
    rmSync(directory, { recursive: true, force: true });
    removeTemplate();
  };
}
