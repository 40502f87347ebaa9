/** Reading a CSV file in, wherever that can be done. */
export const csv = {
  file: 'CSV-Datei',
  choose: 'Datei wählen',
  none: 'Keine Datei gewählt',
  checking: 'Wird geprüft …',
  take: 'Übernehmen',
  faults_one: '{{count, number}} Fehler in der Datei. Sie wurde nicht verwendet.',
  faults_other: '{{count, number}} Fehler in der Datei. Sie wurde nicht verwendet.',
  line: 'Zeile {{line}}',
  cell: 'Zeile {{line}}, Spalte {{column}}',
} as const;
