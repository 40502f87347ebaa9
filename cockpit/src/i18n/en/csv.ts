export const csv = {
  file: 'CSV file',
  checking: 'Checking …',
  take: 'Take over',
  faults_one: '{{count, number}} fault in the file. Nothing was taken over.',
  faults_other: '{{count, number}} faults in the file. Nothing was taken over.',
  line: 'Line {{line}}',
  cell: 'Line {{line}}, column {{column}}',
} as const;
