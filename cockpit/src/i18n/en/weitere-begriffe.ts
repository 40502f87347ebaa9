export const weitereBegriffe = {
  potential: {
    name: 'To be saved',
    text: 'An estimate of what could be saved from now on, for example with a smaller model. It is not burnt, and in no sum of burnt money.',
  },
  schatten: {
    name: 'Shadow mode',
    text: 'The rule watches: findings are noted, but nobody is alerted and nothing is stopped. So you see what it would do before you arm it.',
  },
  fingerabdruck: {
    name: 'Fingerprint',
    text: 'A short checksum of the prompt or the tool call that your program sends along. The same fingerprint several times in a row means that the agent asks the same thing again and again.',
  },
};
