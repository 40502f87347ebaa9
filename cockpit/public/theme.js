// Runs before the first paint, so that a chosen theme does not flash the other one. A separate file because
// the content security policy allows no inline scripts. The same keys are read by src/preferences.ts.
try {
  const { theme, language } = JSON.parse(localStorage.getItem('zaehlwerk') ?? '{}');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  const ours = [language, ...navigator.languages].map((name) => String(name).toLowerCase().split('-', 1)[0]);
  document.documentElement.lang = ours.find((name) => name === 'de' || name === 'en') ?? 'de';
} catch {
  // Storage may be switched off: the system's theme remains, and the language follows with the first texts.
}
