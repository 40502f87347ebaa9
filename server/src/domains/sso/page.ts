/**
 * The page a login returns to. It leads on by itself, without a script: a redirect straight from the provider's page
 * would arrive in the cockpit without the session cookie in browsers that are strict about foreign pages.
 */
import type { SsoFehler } from '#contracts';

/** HTML that leads into the cockpit, or with the reason back to the login page. */
export function leadOn(fehler: SsoFehler | null): string {
  const [target, text] =
    fehler === null
      ? ['/', 'Sie sind angemeldet.']
      : [`/anmelden?fehler=${fehler}`, 'Die Anmeldung über Single Sign-on ist nicht gelungen.'];
  return `<!doctype html>
<html lang="de">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="0;url=${target}">
<title>Zählwerk</title>
</head>
<body style="font:16px/1.5 system-ui,sans-serif;padding:2rem">
<p>${text} <a href="${target}">Weiter</a></p>
</body>
</html>
`;
}
