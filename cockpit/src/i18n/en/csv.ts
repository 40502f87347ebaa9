export const csv = {
  file: 'CSV file',
  choose: 'Choose a file',
  none: 'No file chosen',
  checking: 'Checking …',
  take: 'Take over',
  faults_one: '{{count, number}} fault in the file. It was not used.',
  faults_other: '{{count, number}} faults in the file. It was not used.',
  line: 'Line {{line}}',
  cell: 'Line {{line}}, column {{column}}',
} as const;
