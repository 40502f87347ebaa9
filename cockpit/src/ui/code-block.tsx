import { CopyButton } from './copy-button.tsx';

/** Source text with a button that copies it. Long lines wrap, so that nothing has to be scrolled sideways. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <div className="relative">
      <div className="absolute top-1 right-1 rounded bg-sunken">
        <CopyButton compact text={code} what={label} />
      </div>
      <pre className="whitespace-pre-wrap rounded bg-sunken p-3 pr-11 font-mono text-xs leading-5 [overflow-wrap:anywhere]">
        <code>{code}</code>
      </pre>
    </div>
  );
}
