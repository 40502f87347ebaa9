/** Who may import whom (docs/architecture.md). Every rule is an error. */
const { Compiler } = require('@swc/core');

// dependency-cruiser asks swc for TypeScript without JSX, whatever the name of the file.
const { parseFileSync } = Compiler.prototype;
Compiler.prototype.parseFileSync = function (path, options) {
  return parseFileSync.call(this, path, { ...options, tsx: path.endsWith('.tsx') });
};

const DOMAINS = '^server/src/domains/';

/** Slices from the lowest to the highest; a slice imports lower ones only. */
const ORDER = [
  'protokoll',
  'postausgang',
  'kontingente',
  'schluessel',
  'mandant',
  'installation',
  'zugang',
  'benutzer',
  'sso',
  'katalog',
  'preise',
  'alarme',
  'eingriffe',
  'ereignisse',
  'otlp',
  'laeufe',
  'verbrauch',
  'anbindung',
  'regeln',
  'zaehlung',
  'neubepreisung',
  'befunde',
  'budgets',
  'antraege',
  'reservierungen',
  'detektoren',
  'zwilling',
  'weiterbelastung',
  'berichte',
  'abgleich',
  'importe',
];
/** Slices nobody imports but main. */
const APART = [
  'aufbewahrung',
  'system',
  'lizenzen',
  'buchung',
  'kuendigung',
  'export',
  'ansichten',
  'betreiber',
  'mcp',
];

const never = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to });
const upward = ORDER.flatMap((slice, index) => {
  const higher = [...ORDER.slice(index + 1), ...APART];
  return never(
    `no-upward-from-${slice}`,
    { path: `${DOMAINS}${slice}/` },
    { path: `${DOMAINS}(${higher.join('|')})/` },
  );
});

module.exports = {
  forbidden: [
    never('no-circular', {}, { circular: true }),
    never(
      'kernel-imports-nothing',
      { path: '^server/src/kernel/' },
      { path: '^(contracts/(?!error-codes\\.ts$)|clients|proxy|cockpit|server/src/(?!kernel/))' },
      'of the contract it knows the codes of errors only',
    ),
    never(
      'contracts-import-nothing',
      { path: '^contracts/' },
      { path: '^(clients|proxy|cockpit|server|demo|bench|acceptance|test)/' },
    ),
    never(
      'platform-below-http',
      { path: '^server/src/platform/' },
      { path: '^server/src/(http|jobs|domains|main)/' },
    ),
    never(
      'kits-below-domains',
      { path: '^server/src/(http|jobs)/' },
      { path: '^server/src/(domains|main)/' },
    ),
    never(
      'domains-below-main',
      { path: DOMAINS, pathNot: '\\.test\\.ts$' },
      { path: '^(server/src/main|test)/' },
    ),
    never(
      'slices-by-their-door',
      { path: `${DOMAINS}([^/]+)/` },
      { path: `${DOMAINS}([^/]+)/(?!index\\.ts$)`, pathNot: `${DOMAINS}$1/` },
      'a slice is entered through its index.ts only',
    ),
    never(
      'outside-uses-doors',
      { path: '^(server/src/main|acceptance|demo|bench)/' },
      { path: `${DOMAINS}[^/]+/(?!index\\.ts$)` },
    ),
    never(
      'http-in-routes-only',
      { path: DOMAINS, pathNot: '(/routes/|/index\\.ts$|\\.test\\.ts$)' },
      { path: '(^server/src/http/(?!check/)|^node_modules/(fastify|@fastify)/)' },
      'services and rules serve requests, jobs and the command line alike; the check reads any JSON',
    ),
    ...upward,
    ...APART.map((slice) =>
      never(
        `nobody-imports-${slice}`,
        { path: DOMAINS, pathNot: `${DOMAINS}${slice}/` },
        { path: `${DOMAINS}${slice}/` },
      ),
    ),
    never(
      'owner-database-is-for-few',
      {
        path: '^server/src/',
        pathNot: '^server/src/(main|platform/database|domains/zaehlung|domains/[^/]+/(owner|jobs)|jobs)/',
      },
      { path: '^server/src/platform/database/owner-database\\.ts$' },
      'row-level security does not apply there',
    ),
    never(
      'check-by-its-door',
      { pathNot: '^server/src/http/check/' },
      { path: '^server/src/http/check/(?!index\\.ts$)' },
      'nothing may depend on the inner types of the request check',
    ),
    never(
      'clients-stand-alone',
      { path: '^clients/' },
      { path: '^(server|proxy|cockpit|demo|bench|acceptance)/' },
    ),
    never(
      'packages-know-nothing-of-the-house',
      { path: '^clients/[^/]+/src/', pathNot: '/(test-[^/]+|[^/]+\\.test)\\.ts$' },
      { path: '^(contracts|test)/' },
      'they are installed without it; tests hold their types to the contract',
    ),
    never(
      'packages-bring-what-they-need',
      { path: '^clients/[^/]+/src/', pathNot: '/(test-[^/]+|[^/]+\\.test)\\.ts$' },
      { path: '^node_modules/(?!(@noble/hashes|csv-parse|@types/node)/)' },
      'what is not on every runtime is bundled: little',
    ),
    never(
      'cockpit-knows-the-contract-only',
      { path: '^cockpit/src/' },
      { path: '^(server|proxy|demo|bench|acceptance|test)/' },
    ),
    never(
      'proxy-lives-without-the-service',
      { path: '^proxy/', pathNot: '/(test-[^/]+|[^/]+\\.test)\\.ts$' },
      {
        path: '^(contracts|server/src/(?!kernel/)|clients/(?!typescript/src/transport\\.ts$)|cockpit|demo|bench|acceptance|test)/',
      },
      'it counts, guards and reserves by the package, whose door for it is transport.ts',
    ),
    never(
      'nobody-imports-the-proxy',
      { path: '^(server|contracts|clients|cockpit|demo)/' },
      { path: '^proxy/' },
    ),
    never(
      'nobody-imports-the-demo',
      { path: '^(server|contracts|clients|proxy|cockpit|acceptance|test|bench)/' },
      { path: '^demo/' },
    ),
    never(
      'cockpit-floors',
      { path: '^cockpit/src/(api|format|i18n|ui)/' },
      { path: '^cockpit/src/(app|features)/' },
    ),
    never('features-below-app', { path: '^cockpit/src/features/' }, { path: '^cockpit/src/app/' }),
    never(
      'features-by-their-doors',
      { path: '^cockpit/src/features/([^/]+)/' },
      {
        path: '^cockpit/src/features/([^/]+)/(?!(index|search)\\.ts$)',
        pathNot: '^cockpit/src/features/$1/',
      },
      'a feature is entered through its index.ts, or search.ts for what its addresses mean',
    ),
    never(
      'app-uses-doors',
      { path: '^cockpit/src/(app/|[^/]+$)' },
      { path: '^cockpit/src/features/[^/]+/(?!(index|search)\\.ts$|[^/]+-page\\.tsx$)' },
    ),
    never('no-unresolvable', {}, { couldNotResolve: true }),
    never(
      'no-dev-dependencies-in-the-service',
      {
        path: '^(server|contracts|clients|proxy)/',
        pathNot: '/(test-[^/]+|[^/]+\\.test)\\.ts$|^(proxy|server)/build\\.ts$',
      },
      { dependencyTypes: ['npm-dev'] },
      'an installation without development packages runs, replays and migrates; demo, tests and the builds of cockpit, service and proxy need them',
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Programs of other people's projects, which are installed with what they import.
    exclude: { path: '(^|/)dist/|^clients/trial/programs/' },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.json'],
    },
    moduleSystems: ['es6', 'cjs'],
    parser: 'swc',
  },
};
