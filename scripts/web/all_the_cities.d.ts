/** Populated places of GeoNames, as this package has them. */
declare const cities: readonly {
  readonly name: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** GeoNames' feature code, such as `PPL`. */
  readonly featureCode: string;
  readonly population: number;
  readonly loc: { readonly coordinates: readonly [number, number] };
}[];
export default cities;
