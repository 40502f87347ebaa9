/** How an entry of a log looks: for the operator log, too. */
export { ObjectCell, WhatCell, WhoCell } from './entry-cells.tsx';
