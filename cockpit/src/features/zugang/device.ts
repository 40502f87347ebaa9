/** What a browser says it is, in words. Browsers name others in their user agent, so the order of the rules counts. */

type Rule = readonly [pattern: RegExp, name: string];

const browsers: Rule[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/\S+ (?:Mobile\/\S+ )?Safari\//, 'Safari'],
];

const systems: Rule[] = [
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const nameIn = (rules: Rule[], agent: string) => rules.find(([pattern]) => pattern.test(agent))?.[1] ?? null;

export interface Device {
  browser: string | null;
  system: string | null;
}

/** Browser and system of a user agent; what no rule knows is null, other programs go by the name they give first. */
export function deviceOf(agent: string | null): Device {
  if (agent === null) return { browser: null, system: null };
  const program = agent.startsWith('Mozilla/') ? null : (/^[\w.-]+/.exec(agent)?.[0] ?? null);
  return { browser: nameIn(browsers, agent) ?? program, system: nameIn(systems, agent) };
}
