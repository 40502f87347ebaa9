/** Terms of the cockpit that need a sentence, each explained where it appears: those of the overview. */
export const begriffe = {
  ask: 'Was heißt „{{term}}“?',
  verbrannt: {
    name: 'Verbranntes Geld',
    text: 'Was fehlgeschlagene Aufrufe gekostet haben und Aufrufe, die genau dasselbe noch einmal taten. Es ist in den Kosten enthalten. Was jemand abgebrochen hat, gehört nicht dazu.',
  },
  ersatzkurs: {
    name: 'Ersatzkurs',
    text: 'Preise stehen in Dollar. Solange der Dienst keinen Kurs der Europäischen Zentralbank holen konnte, rechnet er mit einem festen Kurs, den der Betreiber vorgibt.',
  },
  geschaetzt: {
    name: 'Geschätzt',
    text: 'Ihr Programm hat die Token dieser Aufrufe geschätzt, etwa weil der Anbieter keine Zahlen nannte. Gemessen sind Zahlen, die der Anbieter selbst gemeldet hat.',
  },
  teilbepreist: {
    name: 'Nur zum Teil bepreist',
    text: 'Für etwas an diesen Aufrufen ist kein Preis bekannt: eine Preisstufe, eine Region oder ein Werkzeug des Anbieters. In den Kosten steht, was bekannt ist; der Anbieter kann mehr oder weniger berechnen.',
  },
  unbepreist: {
    name: 'Ohne bekannten Preis',
    text: 'Das Modell steht nicht in der Preisliste, oder Token fehlen. Aufrufe und Token zählen mit, die Kosten nicht. Sobald ein Preis bekannt ist, wird nachgerechnet. Prüfen Sie zuerst die Schreibweise des Modells.',
  },
} as const;
