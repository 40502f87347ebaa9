/** Names and addresses of the machine the service runs on, as itself sees them. */
import ipaddr from 'ipaddr.js';

/** Whether a name or an address, with or without brackets, is that of the own machine wherever it is used. */
export function isOwnMachine(name: string): boolean {
  if (name.toLowerCase() === 'localhost') return true;
  const address = name.replace(/^\[(.*)\]$/, '$1');
  // Only as addresses are usually written: what others make of 127.1 or 0177.0.0.1 differs.
  const isUsual = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address);
  return isUsual && ipaddr.process(address).range() === 'loopback';
}
