import type { Address } from '../../model.ts';
/**
 * An address that was written into its street field (`123 Main Street, Las Vegas NV 89132`) taken apart, all
 * uppercase. Only missing parts are filled; an address that says its city is returned as it is.
 */
export declare function splitOneLine(address: Address): Address;
