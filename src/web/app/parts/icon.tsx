/**
 * Icons of Lucide (ISC), drawn from its data. Only the icons named here and in
 * `later_icons.ts` are in the bundle.
 *
 * @module
 */
import { h } from "preact";
// Of the package's index, the bundler would take the later ones along.
import ArrowLeft from "lucide/arrow-left.mjs";
import Check from "lucide/check.mjs";
import CircleAlert from "lucide/circle-alert.mjs";
import CircleDot from "lucide/circle-dot.mjs";
import CircleUser from "lucide/circle-user.mjs";
import CloudOff from "lucide/cloud-off.mjs";
import EyeOff from "lucide/eye-off.mjs";
import FileText from "lucide/file-text.mjs";
import Film from "lucide/film.mjs";
import Heart from "lucide/heart.mjs";
import Images from "lucide/images.mjs";
import Library from "lucide/library.mjs";
import Lock from "lucide/lock.mjs";
import LogOut from "lucide/log-out.mjs";
import MapPin from "lucide/map-pin.mjs";
import Plus from "lucide/plus.mjs";
import Search from "lucide/search.mjs";
import Settings from "lucide/settings.mjs";
import Share2 from "lucide/share-2.mjs";
import ShieldAlert from "lucide/shield-alert.mjs";
import ShieldCheck from "lucide/shield-check.mjs";
import Trash2 from "lucide/trash.mjs";
import X from "lucide/x.mjs";
import type { LATER_ICONS } from "./later_icons.ts";

/** What the first screen shows. */
const FIRST_ICONS = {
  account: CircleUser,
  add: Plus,
  alarm: ShieldAlert,
  albums: Library,
  back: ArrowLeft,
  check: Check,
  close: X,
  favourite: Heart,
  file: FileText,
  film: Film,
  hide: EyeOff,
  safe: ShieldCheck,
  live: CircleDot,
  lock: Lock,
  offline: CloudOff,
  photos: Images,
  place: MapPin,
  search: Search,
  settings: Settings,
  sharing: Share2,
  signOut: LogOut,
  trash: Trash2,
  warning: CircleAlert,
} as const;

/** The name of an icon. */
export type IconName = keyof typeof FIRST_ICONS | keyof typeof LATER_ICONS;

type Drawing = readonly (readonly [string, Readonly<Record<string, string>>])[];

const drawings: Partial<Record<IconName, Drawing>> = { ...FIRST_ICONS };

/** Adds the icons that `part` brings with what shows them. */
export function addIcons(icons: typeof LATER_ICONS): void {
  Object.assign(drawings, icons);
}

/** An icon; the element around it names it for screen readers. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg
      class="icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.75"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {drawings[name]?.map(([tag, attributes]) => h(tag, attributes))}
    </svg>
  );
}
