import type { abrechnung, ResponseOf } from '#contracts';
import { toInstantOrNull } from '#kernel/instant.ts';
import type { Figures } from './service/statement.ts';

export const statementToApi = (figures: Figures): ResponseOf<typeof abrechnung> => ({
  ...figures,
  geschlossen_am: toInstantOrNull(figures.geschlossen_am),
});
