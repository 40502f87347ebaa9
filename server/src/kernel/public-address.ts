import ipaddr from 'ipaddr.js';

/** The only part of IPv6 that is the public internet; outside it old forms hide IPv4 addresses (`::127.0.0.1`). */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');
/** Public by its number only: inside a virtual machine of Azure it is the host that hands out credentials. */
const AZURE_HOST = '168.63.129.16';

/** Whether an IP address is one of the public internet. */
export function isPublicAddress(text: string): boolean {
  // An IPv4 address in IPv6 clothes is looked at as what it is.
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' ? address.toString() !== AZURE_HOST : address.match(GLOBAL_IPV6);
}
