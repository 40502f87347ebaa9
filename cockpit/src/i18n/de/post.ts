/** Die Seite hinter den Links in Mails an andere. */
export const post = {
  title: 'Mails an Ihre Adresse',
  question: {
    alarm: 'Alarme an Ihre Adresse',
    abrechnung: 'Abrechnungen an Ihre Adresse',
  },
  from: 'Von',
  to: 'An',
  state: {
    bestaetigt: 'Diese Mails kommen an Ihre Adresse.',
    wartet: 'Diese Mails kommen erst, wenn Sie zustimmen.',
    abgemeldet: 'Diese Mails kommen nicht mehr.',
  },
  agree: 'Mails bekommen',
  stop: 'Keine Mails bekommen',
  dead: 'Der Link gilt nicht mehr',
  deadText: 'Der Link ist abgelaufen oder nicht vollständig. Nehmen Sie den aus der neuesten Mail.',
};
