/**
 * Icons of Lucide (ISC), drawn from its data. Only the icons named here are in
 * the bundle.
 *
 * @module
 */
import { h } from "preact";
import {
  ArrowLeft,
  ArrowUpToLine,
  Calendar,
  Camera,
  Check,
  ChevronDown,
  ChevronLeft,
  ChevronRight,
  ChevronUp,
  CircleAlert,
  CircleCheck,
  CircleDot,
  CircleUser,
  CloudOff,
  Copy,
  Download,
  Ellipsis,
  EllipsisVertical,
  ExternalLink,
  Eye,
  EyeOff,
  FileText,
  Film,
  FolderOpen,
  HardDrive,
  Heart,
  Image,
  ImageMinus,
  ImagePlus,
  Images,
  Inbox,
  Info,
  KeyRound,
  Library,
  Link,
  Lock,
  LogOut,
  MapPin,
  Maximize,
  MessageCircleQuestionMark,
  Minimize,
  Music,
  Pause,
  Pencil,
  PictureInPicture2,
  Play,
  Plus,
  Printer,
  QrCode,
  ReceiptText,
  RotateCcw,
  Scan,
  ScanEye,
  ScrollText,
  Search,
  Settings,
  Share2,
  ShieldAlert,
  ShieldCheck,
  Smartphone,
  SunMoon,
  Trash2,
  Upload,
  Users,
  Volume2,
  VolumeX,
  X,
  ZoomIn,
  ZoomOut,
} from "lucide";

const ICONS = {
  account: CircleUser,
  add: Plus,
  addTo: ImagePlus,
  alarm: ShieldAlert,
  albums: Library,
  asked: MessageCircleQuestionMark,
  back: ArrowLeft,
  calendar: Calendar,
  camera: Camera,
  check: Check,
  close: X,
  code: QrCode,
  copy: Copy,
  cover: Image,
  device: Smartphone,
  done: CircleCheck,
  down: ChevronDown,
  download: Download,
  edit: Pencil,
  favourite: Heart,
  file: FileText,
  film: Film,
  first: ArrowUpToLine,
  folder: FolderOpen,
  fullScreen: Maximize,
  hide: EyeOff,
  inbox: Inbox,
  info: Info,
  kept: ShieldCheck,
  key: KeyRound,
  leaveFullScreen: Minimize,
  left: ChevronLeft,
  link: Link,
  live: CircleDot,
  lock: Lock,
  look: SunMoon,
  loud: Volume2,
  menu: Ellipsis,
  more: EllipsisVertical,
  mute: VolumeX,
  offline: CloudOff,
  outside: ExternalLink,
  pause: Pause,
  people: Users,
  photos: Images,
  place: MapPin,
  play: Play,
  print: Printer,
  read: ScanEye,
  receipt: ReceiptText,
  record: ScrollText,
  restore: RotateCcw,
  right: ChevronRight,
  screenshot: Scan,
  search: Search,
  settings: Settings,
  sharing: Share2,
  show: Eye,
  signOut: LogOut,
  small: PictureInPicture2,
  sound: Music,
  storage: HardDrive,
  takeOut: ImageMinus,
  trash: Trash2,
  up: ChevronUp,
  upload: Upload,
  warning: CircleAlert,
  zoomIn: ZoomIn,
  zoomOut: ZoomOut,
} as const;

/** The name of an icon. */
export type IconName = keyof typeof ICONS;

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
      {ICONS[name].map(([tag, attributes]) => h(tag, attributes))}
    </svg>
  );
}
