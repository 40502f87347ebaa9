/** Names and addresses of the machine the service runs on, as itself sees them. */
import ipaddr from 'ipaddr.js';

/** Whether a name or an address, with or without brackets, is that of the own machine wherever it is used. */
export function isOwnMachine(name: string): boolean {
  if (name.toLowerCase() === 'localhost') return true;
  const address = name.replace(/^\[(.*)\]$/, '$1');
  // Of addresses only as they are usually written: whoever takes one in another form might take it for another.
  return ipaddr.isValid(address) && address !== '' && ipaddr.process(address).range() === 'loopback';
}
