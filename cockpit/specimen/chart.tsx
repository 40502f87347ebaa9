/** The chart of the kit with everything it can show: looked at with `npm run dev:cockpit` under /specimen/, and by tests. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import '../src/app/app.css';
import { startI18n } from '../src/i18n/index.ts';
import { TimeChart } from '../src/ui/chart.tsx';
import type { ChartData } from '../src/ui/chart-data.ts';
import { ChartTable } from '../src/ui/chart-table.tsx';
import { Panel } from '../src/ui/panel.tsx';

const days = Array.from({ length: 30 }, (_, index) => index + 1);
const names = ['Review', 'Tests', 'Angebote', 'Antworten', 'Belege', 'Leads', 'Mahnungen', 'Termine'];

/** An amount in cents that differs from day to day and from series to series. */
const amountOf = (day: number, place: number) => ((day * 37 + place * 61) % 90) / 10 + 1;

const data: ChartData = {
  kind: 'money',
  buckets: days.map((day) => ({
    key: `2026-11-${String(day).padStart(2, '0')}`,
    tick: `${day}.11.`,
    title: `${day}. November`,
    running: day === 30,
  })),
  series: [...names, 'Übrige'].map((label, place) => ({
    schluessel: label,
    label,
    rest: label === 'Übrige',
    werte: days.map((day) => (day === 7 ? null : amountOf(day, place).toFixed(2))),
  })),
  previous: days.map((day) => (day > 28 ? null : (amountOf(day, 4) * 8).toFixed(2))),
};

function Specimen() {
  const [said, say] = useState('');
  return (
    <main className="flex flex-col gap-4 p-4">
      <h1>Muster</h1>
      <Panel title="Kosten je Tag">
        <TimeChart
          {...data}
          label="Kosten je Tag"
          runningLabel="läuft noch"
          head={<p className="mb-2 text-xs text-ink-2">Ø 48,60 € am Tag</p>}
          onSelect={(key) => say(`Tag ${key}`)}
          onRange={(from, to) => say(`Tage ${from} bis ${to}`)}
        />
        <output>{said}</output>
      </Panel>
      <Panel title="Tabelle" flush>
        <ChartTable {...data} caption="Kosten je Tag" bucketName="Tag" csvName="muster" />
      </Panel>
    </main>
  );
}

startI18n();
const root = document.getElementById('root');
// The table reads what its file lacks.
if (root)
  createRoot(root).render(
    <QueryClientProvider client={new QueryClient()}>
      <Specimen />
    </QueryClientProvider>,
  );
