import { create } from 'qrcode';
import { useMemo } from 'react';

/** Modules of white around the code, as the standard asks for. */
const QUIET = 4;

/** One path over all dark modules, a run of them as one rectangle. */
function toPath(text: string) {
  const { size, data } = create(text, { errorCorrectionLevel: 'M' }).modules;
  const parts: string[] = [];
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const begin = x;
      while (x < size && data[y * size + x]) x++;
      if (x > begin) parts.push(`M${begin + QUIET} ${y + QUIET}h${x - begin}v1h${begin - x}z`);
    }
  }
  return { path: parts.join(''), side: size + 2 * QUIET };
}

/** A text as a QR code. Dark on light in every theme: many readers know nothing else. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { path, side } = useMemo(() => toPath(text), [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${side} ${side}`}
      shapeRendering="crispEdges"
      className="size-48 shrink-0 rounded border"
    >
      <rect width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
