import { useTranslation } from 'react-i18next';

/** Grey bars in the shape of the lines to come, so that nothing jumps when they arrive. */
export function Skeleton({ lines = 3, height = 'h-8' }: { lines?: number; height?: string }) {
  const { t } = useTranslation();
  const numbers = Array.from({ length: lines }, (_, line) => line);
  return (
    <div role="status" className="flex flex-col gap-2">
      <span className="sr-only">{t('ui.loading')}</span>
      {numbers.map((line) => (
        <div key={line} className={`skeleton ${height}`} />
      ))}
    </div>
  );
}
