/** Composes the HTTP side: every slice's routes in one app. */
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { abgleichRoutes } from '#domains/abgleich/index.ts';
import { alarmeRoutes } from '#domains/alarme/index.ts';
import { anbindungRoutes } from '#domains/anbindung/index.ts';
import { ansichtenRoutes } from '#domains/ansichten/index.ts';
import { antraegeRoutes } from '#domains/antraege/index.ts';
import { befundeRoutes } from '#domains/befunde/index.ts';
import { benutzerRoutes } from '#domains/benutzer/index.ts';
import { berichteRoutes } from '#domains/berichte/index.ts';
import { betreiberRoutes } from '#domains/betreiber/index.ts';
import { buchungRoutes } from '#domains/buchung/index.ts';
import { budgetsRoutes } from '#domains/budgets/index.ts';
import { detektorenRoutes } from '#domains/detektoren/index.ts';
import { createInForce, eingriffeRoutes, type InForce } from '#domains/eingriffe/index.ts';
import { type Acceptance, createAcceptance, ereignisseRoutes } from '#domains/ereignisse/index.ts';
import { exportRoutes } from '#domains/export/index.ts';
import { importeRoutes } from '#domains/importe/index.ts';
import { katalogRoutes } from '#domains/katalog/index.ts';
import { createQuota } from '#domains/kontingente/index.ts';
import { kuendigungRoutes } from '#domains/kuendigung/index.ts';
import { laeufeRoutes } from '#domains/laeufe/index.ts';
import { lizenzenRoutes } from '#domains/lizenzen/index.ts';
import { mandantRoutes } from '#domains/mandant/index.ts';
import { mcpRoutes } from '#domains/mcp/index.ts';
import { neubepreisungRoutes } from '#domains/neubepreisung/index.ts';
import { createOtlp, otlpRoutes } from '#domains/otlp/index.ts';
import { postausgangRoutes } from '#domains/postausgang/index.ts';
import { preiseRoutes } from '#domains/preise/index.ts';
import { protokollRoutes } from '#domains/protokoll/index.ts';
import { createBacklogLimit, regelnRoutes } from '#domains/regeln/index.ts';
import { readScopes, reservierungenRoutes } from '#domains/reservierungen/index.ts';
import { createKeyLookup, schluesselRoutes } from '#domains/schluessel/index.ts';
import { ssoRoutes } from '#domains/sso/index.ts';
import { createSystem, type System } from '#domains/system/index.ts';
import { engineOf, verbrauchRoutes } from '#domains/verbrauch/index.ts';
import { weiterbelastungRoutes } from '#domains/weiterbelastung/index.ts';
import { createSessionLookup, zugangRoutes } from '#domains/zugang/index.ts';
import { zwillingRoutes } from '#domains/zwilling/index.ts';
import { createApp, operatorRoutes, type Route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { allQuotas } from '#platform/quota.ts';

const COCKPIT = join(import.meta.dirname, '../../../cockpit/dist');

/** What several slices share, or few may use. */
interface Shared {
  operators: OwnerDatabase;
  inForce: InForce;
  acceptance: Acceptance;
  system: System;
  otlp: ReturnType<typeof createOtlp>;
}

/** The routes of every slice. */
function routesOf(
  context: ServiceContext,
  { operators, inForce, acceptance, system, otlp }: Shared,
): Route[] {
  const asOperator = operatorRoutes(operators);
  return [
    ...zugangRoutes(context),
    ...postausgangRoutes(context),
    ...benutzerRoutes(context),
    ...schluesselRoutes(context),
    ...ssoRoutes(context),
    ...mandantRoutes(context),
    ...alarmeRoutes(context),
    ...buchungRoutes(context),
    ...kuendigungRoutes(context, asOperator),
    ...protokollRoutes(context),
    ...exportRoutes(context),
    ...ansichtenRoutes(context),
    ...anbindungRoutes(context),
    ...eingriffeRoutes(context, inForce),
    ...befundeRoutes(context),
    ...ereignisseRoutes(acceptance),
    ...otlpRoutes(context, otlp.doors),
    ...laeufeRoutes(context),
    ...preiseRoutes(context),
    ...verbrauchRoutes(context),
    ...neubepreisungRoutes(context),
    ...katalogRoutes(context),
    ...regelnRoutes(context),
    ...budgetsRoutes(context),
    ...antraegeRoutes(context, inForce),
    ...reservierungenRoutes(context),
    ...detektorenRoutes(context),
    ...zwillingRoutes(context),
    ...weiterbelastungRoutes(context),
    ...abgleichRoutes(context),
    ...importeRoutes(context),
    ...berichteRoutes(context),
    ...system.routes,
    ...lizenzenRoutes(context, asOperator),
    ...betreiberRoutes(context, asOperator),
    ...mcpRoutes(context, inForce),
  ];
}

/** `operators` acts as the owner of the database: it is for the operations of operators and stays in here. */
export async function createApi(
  context: ServiceContext,
  operators: OwnerDatabase,
  inForce: InForce = createInForce(context, readScopes),
): Promise<FastifyInstance> {
  const ofKeys = createQuota(context);
  const quota = allQuotas(ofKeys, createBacklogLimit(context));
  const acceptance = createAcceptance(context, inForce, quota);
  const system = createSystem(context, acceptance);
  const otlp = createOtlp(context, quota);
  const app = await createApp({
    log: context.log,
    metrics: context.metrics,
    version: context.version,
    production: context.config.production,
    baseUrl: () => context.config.baseUrl,
    trustedProxies: context.config.trustedProxies,
    otherHosts: context.config.otherHosts,
    authenticator: { key: createKeyLookup(context), session: createSessionLookup(context) },
    quota,
    clock: context.clock,
    readingThreads: {
      batches: new URL('./batches-thread.ts', import.meta.url),
      files: new URL('./files-thread.ts', import.meta.url),
    },
    cockpitDir: COCKPIT,
    routes: routesOf(context, { operators, inForce, acceptance, system, otlp }),
  });
  // Only where requests come in: those handed over by hand are not watched.
  app.addHook('onListen', async () => system.watch.start());
  app.addHook('onClose', () => system.watch.stop());
  app.addHook('onClose', () => ofKeys.stop());
  const engine = engineOf(context);
  context.metrics.onEngine(async () => engine.state);
  // So that the first question does not wait for it.
  app.addHook('onListen', async () => engine.start());
  app.addHook('onClose', () => engine.stop());
  app.addHook('onClose', async () => otlp.stop());
  return app;
}
