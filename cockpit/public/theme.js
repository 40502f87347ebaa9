// Runs before the first paint, so that a chosen theme does not flash the other one. A separate file because
// the content security policy allows no inline scripts. The same keys are read by src/preferences.ts.
try {
  const { theme, language } = JSON.parse(localStorage.getItem('zaehlwerk') ?? '{}');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  if (language === 'en') document.documentElement.lang = 'en';
} catch {
  // Storage may be switched off: the system's theme and German remain.
}
