import { useMatch, useRouter } from '@tanstack/react-router';

type Navigate<Search> = (to: { search: (before: Search) => Search; replace: boolean }) => unknown;

/**
 * Changes what the address of this page says; `replace` leaves the way back as it is. While the script of another page is on its
 * way, the address is that one's already and this page is still there: what is pressed then changes what this page shows.
 */
export function useChange<Search extends object>(search: Search, navigate: Navigate<Search>) {
  const router = useRouter();
  const pathname = useMatch({ strict: false, select: (match) => match.pathname });
  return (next: Partial<Search>, { replace }: { replace: boolean }) =>
    navigate({
      search: (before) => ({ ...(router.latestLocation.pathname === pathname ? before : search), ...next }),
      replace,
    });
}
