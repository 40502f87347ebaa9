/** Terms that are explained on other pages than the overview. */
export const weitereBegriffe = {
  potential: {
    name: 'Zu sparen',
    text: 'Eine Schätzung, was sich künftig einsparen ließe, etwa mit einem kleineren Modell. Es ist nicht verbrannt und steht in keiner Summe verbrannten Geldes.',
  },
  schatten: {
    name: 'Schattenbetrieb',
    text: 'Die Regel schaut zu: Befunde werden vermerkt, aber niemand wird alarmiert und nichts angehalten. So sehen Sie, was sie täte, bevor Sie sie scharf stellen.',
  },
  fingerabdruck: {
    name: 'Fingerabdruck',
    text: 'Eine kurze Prüfsumme des Prompts oder des Werkzeugaufrufs, die Ihr Programm mitschickt. Gleiche Fingerabdrücke in Folge heißen: Der Agent fragt immer wieder dasselbe.',
  },
} as const;
