/** The words for periods, as the service and the address of a page of the cockpit name them. */
export const ZEITRAUM_WORTE = [
  'heute',
  'gestern',
  '7tage',
  '30tage',
  '90tage',
  'woche',
  'monat',
  'vormonat',
  'jahr',
] as const;
