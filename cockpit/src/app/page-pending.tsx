import { Skeleton } from '../ui/skeleton.tsx';

/** In the place of a page whose script is not there yet: never what the address before showed. */
export function PagePending() {
  return (
    <div className="pt-2">
      <Skeleton lines={6} height="h-12" />
    </div>
  );
}
