/**
 * Which tests a suite runs. `core` is for every save: what needs nothing, and of the write path and the isolation of slices one file
 * with a database each. `usual` is for every push (`npm test`). `all` adds what takes minutes by itself, and does everything that a
 * test does in several ways (`crashRounds`, themes, widths) in all of them. A file that is named runs in any case.
 */
import { type Need, testsByNeed } from './needs.ts';

export type Suite = 'core' | 'usual' | 'all';

const SUITES: readonly Suite[] = ['core', 'usual', 'all'];

/** The suite that `vitest --mode` names; all of them where none is named, as for a file by its path. */
export const suiteOf = (mode: string): Suite => SUITES.find((suite) => suite === mode) ?? 'all';

/** How much of what it does in several ways a test does: `ZW_DEPTH`. */
export const depthOf = (mode: string): 'usual' | 'all' => (mode === 'all' ? 'all' : 'usual');

/** Of those with a database, what the core has: the write path, isolation, and one of each slice. */
const CORE = new Set([
  'acceptance/isolation-functions.test.ts',
  'acceptance/isolation.test.ts',
  'server/src/domains/abgleich/routes/nutzung-vergleichen.test.ts',
  'server/src/domains/alarme/jobs/verteilen.test.ts',
  'server/src/domains/anbindung/routes/pruefen.test.ts',
  'server/src/domains/ansichten/routes/aendern.test.ts',
  'server/src/domains/antraege/routes/antraege.test.ts',
  'server/src/domains/aufbewahrung/jobs/entfernen.test.ts',
  'server/src/domains/befunde/owner/record.test.ts',
  'server/src/domains/benutzer/routes/liste.test.ts',
  'server/src/domains/berichte/routes/woche-saved.test.ts',
  'server/src/domains/betreiber/routes/mandant-aendern.test.ts',
  'server/src/domains/buchung/routes/lizenz-lesen.test.ts',
  'server/src/domains/budgets/routes/budget-setzen.test.ts',
  'server/src/domains/detektoren/owner/run-detectors.test.ts',
  'server/src/domains/eingriffe/routes/eingriffe.test.ts',
  'server/src/domains/ereignisse/inbox.test.ts',
  'server/src/domains/export/routes/alles-values.test.ts',
  'server/src/domains/installation/jobs/sperrliste-holen.test.ts',
  'server/src/domains/katalog/routes/agent-aendern.test.ts',
  'server/src/domains/kontingente/service.test.ts',
  'server/src/domains/kuendigung/jobs/erinnern.test.ts',
  'server/src/domains/laeufe/routes/cockpit-laeufe.test.ts',
  'server/src/domains/lizenzen/routes/erzeugen.test.ts',
  'server/src/domains/mandant/routes/konto-lesen.test.ts',
  'server/src/domains/mcp/routes/nachricht.test.ts',
  'server/src/domains/importe/routes/importe.test.ts',
  'server/src/domains/neubepreisung/routes/neubepreisung.test.ts',
  'server/src/domains/postausgang/routes/empfang.test.ts',
  'server/src/domains/otlp/jobs/alte-entfernen.test.ts',
  'server/src/domains/preise/routes/preise-setzen.test.ts',
  'server/src/domains/protokoll/routes/pruefprotokoll.test.ts',
  'server/src/domains/regeln/routes/regel-aendern.test.ts',
  'server/src/domains/reservierungen/jobs/verfallene-entfernen.test.ts',
  'server/src/domains/schluessel/key-lookup.test.ts',
  'server/src/domains/sso/routes/sso-domain-pruefen.test.ts',
  'server/src/domains/system/routes/verlauf.test.ts',
  'server/src/domains/verbrauch/changes.test.ts',
  'server/src/domains/verbrauch/costs.test.ts',
  'server/src/domains/weiterbelastung/routes/endkunden.test.ts',
  'server/src/domains/zaehlung/late-prices.test.ts',
  'server/src/domains/zaehlung/repeats.test.ts',
  'server/src/domains/zugang/routes/ich.test.ts',
  'server/src/domains/zwilling/jobs/alte-entfernen.test.ts',
]);

/**
 * What needs nothing and yet takes more than a second: a build of the cockpit, documents that are read back, weeks of the demo, clocks
 * that are waited for, bodies of megabytes, hashes of passwords, properties over many values made by chance.
 */
const NOT_IN_CORE = new Set([
  'bench/prices/compare.test.ts',
  'clients/typescript/src/client.test.ts',
  'clients/typescript/src/eingriffe/listening.test.ts',
  'clients/typescript/src/to-events-property.test.ts',
  'cockpit/first-load.test.ts',
  'demo/live.test.ts',
  'demo/traffic.test.ts',
  'proxy/passing.test.ts',
  'proxy/safe.test.ts',
  'proxy/stopping.test.ts',
  'proxy/way-out.test.ts',
  'server/src/domains/ereignisse/fast-path/batch.test.ts',
  'server/src/domains/ereignisse/packed/packed.test.ts',
  'server/src/domains/ereignisse/routes/annehmen-body.test.ts',
  'server/src/domains/installation/list.test.ts',
  'server/src/domains/preise/list/price-data.test.ts',
  'server/src/domains/preise/price-list.test.ts',
  'server/src/domains/verbrauch/engine/local/local-engine.test.ts',
  'server/src/domains/weiterbelastung/extf/write.test.ts',
  'server/src/domains/weiterbelastung/statement/make.test.ts',
  'server/src/domains/weiterbelastung/statement/statement.test.ts',
  'server/src/domains/zaehlung/sums/sums.test.ts',
  'server/src/domains/zugang/password-strength.test.ts',
  'server/src/domains/zugang/password-turns.test.ts',
  'server/src/http/bodies.test.ts',
  'server/src/http/hang-up.test.ts',
  'server/src/http/parser-errors.test.ts',
  'server/src/jobs/schedule.test.ts',
  'server/src/platform/back-pressure.test.ts',
  'server/src/platform/http-server/http-server.test.ts',
  'server/src/platform/pdf/picture.test.ts',
  'server/src/platform/pdf/sheet.test.ts',
  'server/src/platform/spool.test.ts',
]);

/** What `npm test` leaves to `npm run test:all`, each with what else in `npm test` would tell of a fault. */
export const ONLY_IN_ALL: Readonly<Record<string, string>> = {
  'acceptance/export.test.ts': 'gigabytes; `export/routes` has what is in the archive and how it ends',
  'acceptance/extremes.test.ts':
    'a property over whole events; `exact-sums` and `conservation` of `verbrauch` and `zaehlung` have the sums',
  'acceptance/full-disk.test.ts': 'fills a disk; `ereignisse` has the refusals',
  'acceptance/lizenzen.test.ts': 'two installations; `lizenzen` and `installation` have the rules',
  'acceptance/memory.test.ts': 'fills the least memory; `platform/memory` has the bounds',
  'acceptance/overload.test.ts': 'minutes of too much; `ereignisse` and `http` have the refusals',
  'acceptance/production.test.ts':
    'an installation without development packages; only the whole suite has it',
  'acceptance/preisliste.test.ts':
    'commands beside a service that runs; `preise/owner/follow-list`, `editions` and `main/cli/preislisten` have what they do',
  'acceptance/schutz-absturz.test.ts':
    'crashes; `acceptance/crash` strikes at the same service, `eingriffe` has the order of writes',
  'acceptance/several-processes.test.ts':
    'crashes of four processes; `acceptance/crash`, `jobs` and `zaehlung/several` have the parts',
  'acceptance/sicherung.test.ts':
    'backups of a service under load and of one that is killed; `platform/database/backup` has what is in them and what is refused',
  'acceptance/stopping.test.ts':
    'three stops of a process under load; `http/closing` has that what is under way is finished and what was on its way refused without a reset',
  'acceptance/upgrade.test.ts':
    'the former release; `migrate` and `migrations` of `platform/database` have what migrations may do',
  'acceptance/zeitpunkt.test.ts': 'an installation put back; `platform/database/archive` has the archive',
  'acceptance/zustand.test.ts':
    'a frozen database, and one that cannot start for a while; `http` and `system/routes` (`withoutDatabase`) have the refusals and what is said meanwhile, `system/watch` that it is written when it is over, `embedded/server` that a server that was killed is started again',
  'clients/trial/agents.test.ts':
    'programs that are installed first; `proxy/passing` and `proxy/stopping` have what all of them get',
  'clients/trial/trial.test.ts':
    'libraries that are installed first; `clients/typescript/package` and `clients/python` install both packages',
  'clients/python/matrix.test.ts':
    'libraries that are installed first; `clients/python/python` has what all of them share',
  'clients/typescript/matrix/loop.test.ts':
    'libraries that are installed first; `acceptance/gehorsam` has a loop that the client stops',
  'clients/typescript/matrix/matrix.test.ts':
    'libraries that are installed first; `clients/typescript/src/wrap/observed-fetch` has what all of them share',
  'proxy/matrix.test.ts':
    'libraries that are installed first; `proxy/passing` and `proxy/stopping` have what all of them get',
  'server/src/domains/otlp/real-exporters.test.ts':
    'libraries of Python and JavaScript that are installed first, and a Collector that is built; `otlp/exporters` has OpenTelemetry’s own for JavaScript, `otlp/convert` what all of them tell',
  'server/src/domains/weiterbelastung/focus/validator.test.ts':
    'a validator that is installed first; `focus/focus` holds the same files against the table of columns',
  'demo/loop.test.ts': 'the demo as it runs; `eingriffe` and `detektoren` have the stop',
  'acceptance/browser-abgleich-ursachen.test.ts':
    'a page of figures; `abgleich` has them, `cockpit/…/abgleich/reconciliation-page` how they are told',
  'acceptance/browser-buchung.test.ts':
    'an installation that sells packages; `buchung` has the calls and callbacks, `cockpit/…/buchung/package-page` the page',
  'acceptance/browser-demo.test.ts': 'the demo as it runs; the other browser files have the pages',
  'acceptance/browser-diagramm.test.ts':
    'mouse, finger and pixels of the chart; `cockpit/src/ui/chart` has keys and legend, `browser-bedienung` a click',
  'acceptance/browser-dialoge.test.ts':
    'axe and layout of every dialog; `cockpit/src/app/dialogs` has axe without a browser',
  'acceptance/browser-lauf.test.ts':
    'runs of 1,400 steps; `cockpit/src/ui/long-list` has the lines in sight, `…/laeufe/run-page` the order of what comes',
  'acceptance/browser-proof.test.ts':
    'a service without a mail server, and one that hangs; `cockpit/src/app/shell` and `…/zugang/zugang` have both',
  'acceptance/browser-teilbepreist.test.ts':
    'words on three pages; `cockpit/…/verbrauch/overview-page` and `laeufe` have them, `verbrauch` the counts',
  'acceptance/browser-token.test.ts':
    'one sum on every page; `cockpit/…/verbrauch/overview-page` has its words, `counted-once` the sums',
  'acceptance/first-load-demo.test.ts':
    'the demo as it runs, and every page of it; `cockpit/first-load` bounds the build',
  'acceptance/first-load.test.ts':
    'bytes, moves and what is kept in a real browser; `cockpit/first-load` bounds the build, `http/confirmation` has 304',
  'server/src/domains/zaehlung/fair.test.ts': 'hundreds of senders; `zaehlung/turns` has the order of turns',
};

/** The files of a suite by what they need, as paths from the root. */
export function testsOf(suite: Suite): Record<Need, string[]> {
  const tests = testsByNeed();
  if (suite === 'all') return tests;
  const usual = (files: string[]) => files.filter((file) => ONLY_IN_ALL[file] === undefined);
  if (suite === 'usual')
    return {
      nothing: usual(tests.nothing),
      document: usual(tests.document),
      database: usual(tests.database),
      processes: usual(tests.processes),
    };
  return {
    nothing: usual(tests.nothing).filter((file) => !NOT_IN_CORE.has(file)),
    document: [],
    database: tests.database.filter((file) => CORE.has(file)),
    processes: [],
  };
}
