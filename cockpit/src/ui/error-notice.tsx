import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/error.ts';
import { useErrorText } from '../api/use-error-text.ts';
import { useFormat } from '../format/use-format.ts';
import { Notice } from './notice.tsx';

/** Seconds until `seconds` from the first render have passed, counted down to 0. */
function useCountdown(seconds: number): number {
  const [end] = useState(() => Date.now() + seconds * 1000);
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const timer = setInterval(() => {
      const next = Math.max(0, Math.ceil((end - Date.now()) / 1000));
      setLeft(next);
      if (next === 0) clearInterval(timer);
    }, 1000);
    return () => clearInterval(timer);
  }, [end]);
  return left;
}

function Throttled({ seconds }: { seconds: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const left = useCountdown(seconds);
  return (
    <>
      {t('error.tooMany')} {/* A timer is not read out again every second. */}
      <span role="timer" className="whitespace-nowrap">
        {left === 0 ? t('error.waitOver') : t('error.waitFor', { time: format.duration(left * 1000) })}
      </span>
    </>
  );
}

/** Why an action failed; after too many tries, how long to wait. */
export function ErrorNotice({ error }: { error: unknown }) {
  const { sentence } = useErrorText();
  const wait = error instanceof ApiError && error.status === 429 ? error.retryAfter : null;
  // Every failure is a notice of its own: read out again, and counted from its own beginning.
  const [seen, setSeen] = useState({ error, times: 0 });
  if (seen.error !== error) setSeen({ error, times: seen.times + 1 });
  return (
    <Notice key={seen.times} tone="harm" live>
      {wait === null ? sentence(error) : <Throttled seconds={wait} />}
    </Notice>
  );
}
