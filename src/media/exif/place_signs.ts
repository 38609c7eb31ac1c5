// deno-lint-ignore-file no-control-regex -- Patterns of bytes, not of text.
/**
 * What a place looks like in the bytes of a file, in every format that has one.
 * Formats are put into each other: EXIF is in JPEG, PNG, HEIC, JPEG 2000 and
 * MP4, a video is behind a photo. So signs are looked for everywhere in a file,
 * and each is long enough that pixels do not look like it.
 *
 * @module
 */

/** One sign of a place. */
export interface PlaceSign {
  /** Its first two bytes, as Latin-1; several where letters differ in case. */
  readonly begins: readonly string[];
  /**
   * Matches from the sign's first byte. What is in front of it (`LOOKBACK`
   * bytes) may be looked at.
   */
  readonly pattern: RegExp;
  /** What decides where the pattern matches; absent: it tells a place. */
  readonly then?:
    | "gps-pointer"
    | "gps-structure"
    | "panasonic"
    | "iptc"
    | "track";
}

/** So many bytes in front of a sign are seen. */
export const LOOKBACK = 4;
/** So many from its beginning. */
export const LOOKAHEAD = 128;

/** The beginnings of words whose letters may be large or small. */
function words(...pairs: readonly string[]): readonly string[] {
  return pairs.flatMap((pair) => {
    const [first = "", second = ""] = pair;
    return [first, first.toUpperCase()].flatMap((one) => [
      one + second,
      one + second.toUpperCase(),
    ]);
  });
}

/** A sign followed by each digit. */
const SIGNED = [..."+-"].flatMap((sign) =>
  [..."0123456789"].map((digit) => sign + digit)
);

export const PLACE_SIGNS: readonly PlaceSign[] = [
  // EXIF and TIFF: the entry that points to the GPS directory.
  {
    begins: ["\x25\x88"],
    pattern: /\x25\x88[\x04\x0d]\0\x01\0\0\0/y,
    then: "gps-pointer",
  },
  {
    begins: ["\x88\x25"],
    pattern: /\x88\x25\0[\x04\x0d]\0\0\0\x01/y,
    then: "gps-pointer",
  },
  // The same in BigTIFF, whose entries are longer.
  {
    begins: ["\x25\x88"],
    pattern: /\x25\x88[\x04\x0d\x10\x12]\0\x01\0{7}/y,
  },
  {
    begins: ["\x88\x25"],
    pattern: /\x88\x25\0[\x04\x0d\x10\x12]\0{7}\x01/y,
  },
  // Canon's CR3 has the GPS directory in a structure of its own.
  {
    begins: ["CM"],
    pattern: /CMT4(?:II\x2a\0|MM\0\x2a)/y,
    then: "gps-structure",
  },
  // GeoTIFF: tie points, transformation, keys; and GeoJP2.
  {
    begins: ["\x82\x84", "\xd8\x85", "\xaf\x87"],
    pattern: /(?:\x82\x84\x0c|\xd8\x85\x0c|\xaf\x87\x03)\0..\0\0/sy,
  },
  {
    begins: ["\x84\x82", "\x85\xd8", "\x87\xaf"],
    pattern: /(?:\x84\x82\0\x0c|\x85\xd8\0\x0c|\x87\xaf\0\x03)(?:\0{6})?\0\0/y,
  },
  { begins: ["\xb1\x4b"], pattern: /\xb1\x4b\xf8\xbd\x08\x3d\x4b\x43/y },
  // Maker notes with the names of places.
  { begins: ["Pa"], pattern: /Panasonic\0\0\0/y, then: "panasonic" },
  // IPTC: location code and name, city, part of it, state, country.
  {
    begins: ["\x1c\x02"],
    pattern: /\x1c\x02[\x1a\x1b\x5a\x5c\x5f\x64\x65]\0[\x01-\x7f]/y,
    then: "iptc",
  },
  // XMP, JSON, GPX and others that name coordinates.
  {
    begins: words("la", "lo"),
    pattern: /(?:latitude|long?t?itude)(?![a-z])/iy,
  },
  {
    begins: words("l\0"),
    pattern: /l\0(?:a\0t|o\0n\0g)\0i\0t\0u\0d\0e/iy,
  },
  {
    begins: ["GP"],
    pattern: /GPS(?:Altitude|AreaInfo|Coordinates|Dest|Position|Track|Speed)/y,
  },
  // XMP's fields of places, whatever stands for their namespaces.
  {
    begins: words(":c", ":s", ":l", ":p", ":w"),
    pattern:
      /:(?:City|State|Country(?:Code|Name)?|Location[A-Za-z]{0,16}|ProvinceState|Sublocation|ShotLocation|WorldRegion|lat|lon|long)(?=[\s=>/"'])/iy,
  },
  {
    begins: [":\0"],
    pattern: /:\0(?:C\0i\0t\0y|L\0o\0c\0a\0t\0i|C\0o\0u\0n\0t\0r\0y)/y,
  },
  {
    begins: ['"c', '"l', '"g', '"C', '"L', '"G'],
    pattern: /"(?:city|country|location|lat|lng|lon|geo[a-z]{0,16})"\s*:/iy,
  },
  // Tracks of places, in a video or next to it.
  { begins: ["<t", "<w", "<c"], pattern: /<(?:trkpt|wpt|coordinates)[\s>]/y },
  { begins: ["$G"], pattern: /\$G[A-Z](?:RMC|GGA|GLL),/y },
  { begins: ["GP"], pattern: /GPS ?\(/y },
  { begins: ["fr"], pattern: /freeGPS /y },
  { begins: ["GP"], pattern: /GPS[59][lLsSfdjJ?]/y },
  { begins: ["GP"], pattern: /(?<=\0\0..)GPMF/sy },
  { begins: ["gp"], pattern: /(?<=\0\0..)gps /sy },
  // ISO 6709, under whatever name.
  {
    begins: SIGNED,
    pattern:
      /[+-]\d\d(?:\d\d){0,2}(?:\.\d+[+-]\d{3}(?:\d\d){0,2}\.\d|(?:\.\d*)?[+-]\d{3}(?:\d\d){0,2}(?:\.\d*)?(?:[+-]\d+(?:\.\d*)?)?(?:CRS\w*)?\/)/y,
  },
  // QuickTime, MP4 and 3GP: boxes of places, and keys that name them.
  { begins: ["\xa9x"], pattern: /(?<=\0\0..)\xa9xyz/sy },
  { begins: ["lo"], pattern: /(?<=\0\0..)loci\0\0\0\0/sy },
  {
    begins: ["md", "na"],
    pattern:
      /(?:mdta|name\0{4})[\x20-\x7e]{0,64}?(?:location|gps|geo|city|country)/iy,
  },
  { begins: ["hd"], pattern: /hdlr\0{4}(?:\0{4}|mhlr)/y, then: "track" },
  // A header that is compressed as a whole.
  { begins: ["cm"], pattern: /(?<=\0...)cmov\0\0/sy },
  // AVCHD notes the place in its pictures.
  { begins: ["MD"], pattern: /(?<=\x20\x0c\x9a\x66)MDPM/y },
  // Matroska's tags, and the comments of Ogg and FLAC.
  {
    begins: ["\x45\xa3"],
    pattern:
      /\x45\xa3[\x40-\xff][^]{0,7}?[\w.-]{0,48}?(?:location|gps|geo|city|country)/iy,
  },
  {
    begins: words("lo", "ge", "gp", "ci", "co"),
    pattern: /(?<=[^]{2}\0\0)(?:location|geo|gps|city|country)[\w.-]{0,32}=/iy,
  },
  // PNG's texts; those that are compressed are not understood here.
  {
    begins: ["tE", "iT"],
    pattern: /[ti](?:EXt|TXt)[\w :.-]{0,64}?(?:location|gps|city|country)/iy,
  },
  { begins: ["zT"], pattern: /(?<=\0...)zTXt[\x20-\x7e]{1,79}\0\0/sy },
  { begins: ["iT"], pattern: /(?<=\0...)iTXt[\x20-\x7e]{1,79}\0\x01/sy },
  { begins: ["Ra"], pattern: /Raw profile type (?!icc)/y },
  // JPEG XL's compressed boxes, and what it keeps of a JPEG.
  { begins: ["br"], pattern: /(?<=\0...)brob[\x20-\x7e]{4}/sy },
  { begins: ["jb"], pattern: /(?<=\0\0..)jbrd/sy },
];
