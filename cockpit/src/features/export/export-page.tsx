import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { DownloadIcon } from '../../ui/icons.tsx';
import { LeaveGuard } from '../../ui/leave-guard.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ExportProgress, useSize } from './export-progress.tsx';
import { useExport } from './use-export.ts';
import { useFailure } from './use-failure.ts';

const spans = [30, 90, 365, 3660] as const;
const preset = 90;

const contents = ['json', 'csv', 'readme', 'missing'] as const;

/** What the archive holds, and what it leaves out. */
function Contents() {
  const { t } = useTranslation();
  return (
    <Panel title={t('export.contents')}>
      <ul className="flex max-w-prose list-disc flex-col gap-1 pl-5 text-ink-2">
        {contents.map((part) => (
          <li key={part}>{t(`export.content.${part}`)}</li>
        ))}
      </ul>
    </Panel>
  );
}

function Start({ onStart }: { onStart: (days: number) => void }) {
  const { t } = useTranslation();
  const [days, setDays] = useState<number>(preset);
  return (
    <div className="flex flex-wrap items-end gap-2">
      <div className="w-52">
        <SelectField
          label={t('export.days')}
          value={String(days)}
          options={spans.map((span) => ({
            value: String(span),
            label: t('export.lastDays', { count: span }),
          }))}
          onChange={(next) => setDays(Number(next))}
        />
      </div>
      <Button kind="primary" onClick={() => onStart(days)}>
        <DownloadIcon />
        {t('export.start')}
      </Button>
    </div>
  );
}

/** How the last export went; nothing while one is running. */
function Outcome({ saved, error }: Pick<ReturnType<typeof useExport>, 'saved' | 'error'>) {
  const { t } = useTranslation();
  const failure = useFailure();
  const size = useSize();
  if (error) {
    return (
      <Notice tone="harm" live>
        {failure(error)}
      </Notice>
    );
  }
  if (!saved) return null;
  return (
    <Notice tone="good" live>
      {t('export.saved', { size: size(saved.bytes), count: saved.events })}
    </Notice>
  );
}

/** Everything of the Mandant, to take away. */
export function ExportPage(): ReactNode {
  const { t } = useTranslation();
  const { received, saved, error, start, cancel } = useExport();
  return (
    <Page title={t('export.title')}>
      <p className="max-w-prose text-ink-2">{t('export.text')}</p>
      <Contents />
      <Panel title={t('export.export')}>
        <div className="flex flex-col gap-3">
          {received ? <ExportProgress received={received} onCancel={cancel} /> : <Start onStart={start} />}
          {!received && <Outcome saved={saved} error={error} />}
        </div>
      </Panel>
      <LeaveGuard armed={received !== null} title={t('export.leaveTitle')} text={t('export.leaveText')} />
    </Page>
  );
}
