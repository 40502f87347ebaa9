import type { abrechnung, ResponseOf } from '#contracts';
import { toInstantOrNull } from '#kernel/instant.ts';
import type { Line } from './line.ts';
import type { Figures } from './service/statement.ts';

type Answer = ResponseOf<typeof abrechnung>;

const lineToApi = ({ verbrannt_eur: verbranntes_geld_eur, ...line }: Line): Answer['zeile'] => ({
  ...line,
  verbranntes_geld_eur,
});

export const statementToApi = (figures: Figures): Answer => ({
  ...figures,
  geschlossen_am: toInstantOrNull(figures.geschlossen_am),
  zeile: lineToApi(figures.zeile),
  korrekturen: figures.korrekturen.map(lineToApi),
});
