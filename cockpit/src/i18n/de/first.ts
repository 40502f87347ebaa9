/** German texts that come with the cockpit: the frame, the overview and what is beside it. */
import { ansicht } from './ansicht.ts';
import { ansichten } from './ansichten.ts';
import { begriffe } from './begriffe.ts';
import { einstellungen } from './einstellungen.ts';
import { katalog } from './katalog.ts';
import { shell } from './shell.ts';
import { verbrauch, zeitraum } from './verbrauch.ts';
import { bestaetigung, rolle, zugang } from './zugang.ts';

export const first = {
  ...shell,
  ansicht,
  ansichten,
  begriffe,
  bestaetigung,
  einstellungen,
  katalog,
  rolle,
  verbrauch,
  zeitraum,
  zugang,
} as const;
