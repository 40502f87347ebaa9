/** The page behind the links in mails to others. */
export const post = {
  title: 'Mail to your address',
  question: {
    alarm: 'Alerts to your address',
    abrechnung: 'Statements to your address',
  },
  from: 'From',
  to: 'To',
  state: {
    bestaetigt: 'This mail comes to your address.',
    wartet: 'This mail comes only when you agree.',
    abgemeldet: 'This mail does not come any more.',
  },
  agree: 'Get this mail',
  stop: 'Get none of it',
  dead: 'The link is no longer valid',
  deadText: 'The link has expired or is cut off. Take the one of the latest mail.',
};
