/** The sections of the settings, in the order they are listed. Their pages are routes below `/einstellungen`. */
import type { Right } from '#contracts';

interface Section {
  /** Its name in the texts, `einstellungen.section`. */
  name: string;
  to: `/einstellungen/${string}`;
  /** `selbst` concerns the signed-in user alone, `mandant` everybody. */
  group: 'selbst' | 'mandant';
  /** Who lacks it neither sees the section nor opens it. */
  right: Right;
}

export const sections = [
  { name: 'profil', to: '/einstellungen/profil', group: 'selbst', right: 'selbst' },
  { name: 'sicherheit', to: '/einstellungen/sicherheit', group: 'selbst', right: 'selbst' },
  { name: 'benutzer', to: '/einstellungen/benutzer', group: 'mandant', right: 'benutzer.verwalten' },
  { name: 'schluessel', to: '/einstellungen/schluessel', group: 'mandant', right: 'schluessel.verwalten' },
  { name: 'branding', to: '/einstellungen/branding', group: 'mandant', right: 'konto.verwalten' },
  { name: 'alarme', to: '/einstellungen/alarme', group: 'mandant', right: 'konto.verwalten' },
  { name: 'firmenkonto', to: '/einstellungen/firmenkonto', group: 'mandant', right: 'konto.verwalten' },
  { name: 'kurse', to: '/einstellungen/kurse', group: 'mandant', right: 'konto.verwalten' },
  {
    name: 'buchhaltung',
    to: '/einstellungen/buchhaltung',
    group: 'mandant',
    right: 'weiterbelastung.verwalten',
  },
  { name: 'paket', to: '/einstellungen/paket', group: 'mandant', right: 'konto.lesen' },
  { name: 'avv', to: '/einstellungen/avv', group: 'mandant', right: 'konto.lesen' },
  { name: 'protokoll', to: '/einstellungen/protokoll', group: 'mandant', right: 'protokoll.lesen' },
  { name: 'export', to: '/einstellungen/export', group: 'mandant', right: 'daten.ausgeben' },
  { name: 'kuendigung', to: '/einstellungen/kuendigung', group: 'mandant', right: 'konto.kuendigen' },
] as const satisfies readonly Section[];

/** The sections that somebody with these rights may open. */
export const sectionsFor = (rechte: readonly string[]) =>
  sections.filter((section) => rechte.includes(section.right));
