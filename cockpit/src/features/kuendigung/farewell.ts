/** What the page that cancels hands to the page that says goodbye; there is no session any more to ask. */
export interface Farewell {
  firma: string;
  mandant_id: string;
  /** IANA name. */
  zeitzone: string;
  /** From then on everything is removed; until then the operator can take the cancellation back. */
  loeschung_ab: string;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    farewell?: Farewell;
  }
}
