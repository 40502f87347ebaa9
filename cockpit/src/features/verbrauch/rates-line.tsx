import { RateSources, type RateSourcesProps } from './rate-sources.tsx';

/** Which rates costs rest on, as a line below figures; nothing where nothing cost anything. */
export function RatesLine({ quellen }: Pick<RateSourcesProps, 'quellen'>) {
  if (quellen.length === 0) return null;
  return (
    <p className="-mt-1.5 flex flex-wrap items-center justify-end gap-x-4 px-1 text-xs text-ink-3">
      <RateSources quellen={quellen} />
    </p>
  );
}
