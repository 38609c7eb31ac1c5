/**
 * The words that a search knows, by language. Whoever searches may mix them, and
 * may leave the marks off letters: `ete 2023` is the summer.
 *
 * @module
 */
import { plainText } from "../../media/plain_text.ts";

/** The languages of the words (BCP 47). */
export const SEARCH_LANGUAGES = [
  "en",
  "de",
  "fr",
  "es",
  "it",
  "nl",
  "pl",
  "pt",
] as const;
export type SearchLanguage = typeof SEARCH_LANGUAGES[number];

/**
 * What words mean, each a list with blanks between. Forms of one month or day
 * of the week have `|` between.
 */
interface SearchWords {
  /** From January. */
  readonly months: string;
  /** From Monday. */
  readonly weekdays: string;
  readonly spring: string;
  readonly summer: string;
  readonly autumn: string;
  readonly winter: string;
  readonly christmas: string;
  /** Empty where no single word means it. */
  readonly christmasEve: string;
  readonly easter: string;
  readonly today: string;
  readonly yesterday: string;
  /** Before or after what is over: `last summer`, `été dernier`. */
  readonly last: string;
  readonly this: string;
  readonly week: string;
  readonly month: string;
  readonly year: string;
  /** They say nothing before a date. */
  readonly beforeDates: string;
  /** They say nothing before a person. */
  readonly beforePeople: string;
  /** They say nothing where no photo has them: `the receipt of the umbrella`. */
  readonly fillers: string;
  readonly photos: string;
  readonly videos: string;
  readonly sounds: string;
  readonly documents: string;
  readonly live: string;
  readonly panoramas: string;
  readonly spheres: string;
  readonly screenshots: string;
  readonly favourites: string;
  readonly hidden: string;
  readonly archived: string;
  readonly stars: string;
}

/** The words of each language. */
export const SEARCH_WORDS: Readonly<Record<SearchLanguage, SearchWords>> = {
  en: {
    months:
      "january february march april may june july august september october november december",
    weekdays: "monday tuesday wednesday thursday friday saturday sunday",
    spring: "spring",
    summer: "summer",
    autumn: "autumn fall",
    winter: "winter",
    christmas: "christmas xmas",
    christmasEve: "",
    easter: "easter",
    today: "today",
    yesterday: "yesterday",
    last: "last",
    this: "this",
    week: "week",
    month: "month",
    year: "year",
    beforeDates: "in on at from of the",
    beforePeople: "by from of",
    fillers:
      "a the all some and or with by in on at near from of for my our your his her their we i us me you what where when who which did do does have had has is was were are show find",
    photos: "photo photos picture pictures",
    videos: "video videos film films",
    sounds: "sound sounds",
    documents: "document documents",
    live: "live live-photo live-photos",
    panoramas: "panorama panoramas pano",
    spheres: "360 360°",
    screenshots: "screenshot screenshots",
    favourites: "favourite favourites favorite favorites",
    hidden: "hidden",
    archived: "archive archived",
    stars: "star stars",
  },
  de: {
    months:
      "januar|jänner februar märz april mai juni juli august september oktober november dezember",
    weekdays:
      "montag dienstag mittwoch donnerstag freitag samstag|sonnabend sonntag",
    spring: "frühling frühjahr",
    summer: "sommer",
    autumn: "herbst",
    winter: "winter",
    christmas: "weihnachten",
    christmasEve: "heiligabend",
    easter: "ostern",
    today: "heute",
    yesterday: "gestern",
    last: "letzte letzten letzter letztes vorige vorigen voriger voriges",
    this: "diese diesen dieser dieses",
    week: "woche",
    month: "monat",
    year: "jahr",
    beforeDates: "im in am an zu von vom der den",
    beforePeople: "von",
    fillers:
      "ein eine einen einem einer eines der die das den dem des alle alles allen einige und oder mit bei beim nahe in im am auf aus zu zum zur von vom für mein meine meinen meiner meinem unser unsere unseren unserer unserem dein deine ihr ihre sein seine wir ich uns was wo wann wer haben hatten habe waren war sind ist gemacht zeig zeige finde such suche",
    photos: "foto fotos bild bilder",
    videos: "video videos film filme",
    sounds: "ton töne",
    documents: "dokument dokumente",
    live: "live-foto live-fotos",
    panoramas: "panorama panoramen",
    spheres: "360 360°",
    screenshots: "bildschirmfoto bildschirmfotos",
    favourites: "favorit favoriten",
    hidden: "ausgeblendet ausgeblendete versteckt",
    archived: "archiv archiviert archivierte",
    stars: "stern sterne",
  },
  fr: {
    months:
      "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    weekdays: "lundi mardi mercredi jeudi vendredi samedi dimanche",
    spring: "printemps",
    summer: "été",
    autumn: "automne",
    winter: "hiver",
    christmas: "noël",
    christmasEve: "",
    easter: "pâques",
    today: "aujourd'hui",
    yesterday: "hier",
    last: "dernier dernière",
    this: "ce cet cette",
    week: "semaine",
    month: "mois",
    year: "an année",
    beforeDates: "en le la les à au aux du de",
    beforePeople: "de par",
    fillers:
      "un une des le la les tous toutes tout toute et ou avec chez près à au aux en dans sur du de par pour mon ma notre nos votre vos ses leur leurs nous on je qui que quoi où quand avons avait était étaient est sont fait montre trouve",
    photos: "photo photos image images",
    videos: "vidéo vidéos film films",
    sounds: "enregistrement enregistrements",
    documents: "document documents",
    live: "live-photo live-photos",
    panoramas: "panorama panoramas panoramique panoramiques",
    spheres: "360 360°",
    screenshots: "capture captures",
    favourites: "favori favoris favorite favorites",
    hidden: "masqué masqués masquée masquées",
    archived: "archive archivé archivés archivée archivées",
    stars: "étoile étoiles",
  },
  es: {
    months:
      "enero febrero marzo abril mayo junio julio agosto septiembre|setiembre octubre noviembre diciembre",
    weekdays: "lunes martes miércoles jueves viernes sábado domingo",
    spring: "primavera",
    summer: "verano",
    autumn: "otoño",
    winter: "invierno",
    christmas: "navidad navidades",
    christmasEve: "nochebuena",
    easter: "pascua",
    today: "hoy",
    yesterday: "ayer",
    last: "último última pasado pasada",
    this: "este esta",
    week: "semana",
    month: "mes",
    year: "año",
    beforeDates: "en el la los de del",
    beforePeople: "de por",
    fillers:
      "un una unos unas el la los las todos todas todo toda y o con cerca a al en sobre del de por para mi mis nuestro nuestra nuestros nuestras tu tus su sus nosotros yo qué que quién dónde cuándo hemos hicimos era eran es estaba hecho muestra busca",
    photos: "foto fotos imagen imágenes",
    videos: "vídeo vídeos película películas",
    sounds: "sonido sonidos",
    documents: "documento documentos",
    live: "live-photo live-photos",
    panoramas: "panorama panoramas panorámica panorámicas",
    spheres: "360 360°",
    screenshots: "captura capturas",
    favourites: "favorito favoritos favorita favoritas",
    hidden: "oculto ocultos oculta ocultas",
    archived: "archivo archivado archivados archivada archivadas",
    stars: "estrella estrellas",
  },
  it: {
    months:
      "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    weekdays: "lunedì martedì mercoledì giovedì venerdì sabato domenica",
    spring: "primavera",
    summer: "estate",
    autumn: "autunno",
    winter: "inverno",
    christmas: "natale",
    christmasEve: "",
    easter: "pasqua",
    today: "oggi",
    yesterday: "ieri",
    last: "ultimo ultima scorso scorsa",
    this: "questo questa",
    week: "settimana",
    month: "mese",
    year: "anno",
    beforeDates: "in il lo la a di del nel nella",
    beforePeople: "di da",
    fillers:
      "un uno una il lo la i gli le tutti tutte tutto tutta e o con presso vicino a al ai alla alle in nel nella sul sulla del della dei delle di da per mio mia miei mie nostro nostra nostri nostre vostro suo sua loro noi io che chi cosa dove quando abbiamo era erano è sono fatto mostra trova",
    photos: "foto immagine immagini",
    videos: "video filmato filmati",
    sounds: "suono suoni",
    documents: "documento documenti",
    live: "live-photo",
    panoramas: "panorama panorami panoramica panoramiche",
    spheres: "360 360°",
    screenshots: "schermata schermate",
    favourites: "preferito preferiti preferita preferite",
    hidden: "nascosto nascosti nascosta nascoste",
    archived: "archivio archiviato archiviati archiviata archiviate",
    stars: "stella stelle",
  },
  nl: {
    months:
      "januari februari maart april mei juni juli augustus september oktober november december",
    weekdays: "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
    spring: "lente voorjaar",
    summer: "zomer",
    autumn: "herfst najaar",
    winter: "winter",
    christmas: "kerst kerstmis",
    christmasEve: "kerstavond",
    easter: "pasen",
    today: "vandaag",
    yesterday: "gisteren",
    last: "laatste vorig vorige afgelopen",
    this: "deze dit",
    week: "week",
    month: "maand",
    year: "jaar",
    beforeDates: "in op van de het met",
    beforePeople: "van door",
    fillers:
      "een de het alle alles en of met bij dichtbij in op aan uit naar van door voor mijn onze ons jouw zijn haar hun wij we ik wat waar wanneer wie hebben hadden was waren is gedaan toon zoek vind",
    photos: "foto foto's afbeelding afbeeldingen",
    videos: "video video's film films",
    sounds: "geluid geluiden",
    documents: "document documenten",
    live: "live-foto live-foto's",
    panoramas: "panorama panorama's",
    spheres: "360 360°",
    screenshots: "schermafbeelding schermafbeeldingen",
    favourites: "favoriet favorieten",
    hidden: "verborgen",
    archived: "archief gearchiveerd gearchiveerde",
    stars: "ster sterren",
  },
  pl: {
    months:
      "styczeń|stycznia|styczniu luty|lutego|lutym marzec|marca|marcu kwiecień|kwietnia|kwietniu maj|maja|maju czerwiec|czerwca|czerwcu lipiec|lipca|lipcu sierpień|sierpnia|sierpniu wrzesień|września|wrześniu październik|października|październiku listopad|listopada|listopadzie grudzień|grudnia|grudniu",
    weekdays:
      "poniedziałek wtorek środa|środę czwartek piątek sobota|sobotę niedziela|niedzielę",
    spring: "wiosna wiosną wiosny wiosnę",
    summer: "lato latem lata",
    autumn: "jesień jesienią jesieni",
    winter: "zima zimą zimy zimę",
    christmas: "święta narodzenie",
    christmasEve: "wigilia",
    easter: "wielkanoc",
    today: "dziś dzisiaj",
    yesterday: "wczoraj",
    last:
      "ostatni ostatnia ostatnie zeszły zeszła zeszłe zeszłego zeszłej zeszłym",
    this: "ten ta to tego tej tym",
    week: "tydzień tygodnia tygodniu",
    month: "miesiąc miesiąca miesiącu",
    year: "rok roku",
    beforeDates: "w we na z od boże",
    beforePeople: "od",
    fillers:
      "i oraz lub albo z ze przy obok w we na do od o dla wszystkie wszystkich mój moja moje moich nasz nasza nasze naszych nasi twój jego jej ich my ja co gdzie kiedy kto który która jest są był była było były robiliśmy pokaż znajdź szukaj",
    photos: "zdjęcie zdjęcia fotografia fotografie",
    videos: "wideo film filmy",
    sounds: "dźwięk dźwięki",
    documents: "dokument dokumenty",
    live: "live-photo",
    panoramas: "panorama panoramy",
    spheres: "360 360°",
    screenshots: "zrzut zrzuty",
    favourites: "ulubiony ulubiona ulubione",
    hidden: "ukryty ukryta ukryte",
    archived: "archiwum zarchiwizowane",
    stars: "gwiazdka gwiazdki gwiazdek",
  },
  pt: {
    months:
      "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    weekdays:
      "segunda|segunda-feira terça|terça-feira quarta|quarta-feira quinta|quinta-feira sexta|sexta-feira sábado domingo",
    spring: "primavera",
    summer: "verão",
    autumn: "outono",
    winter: "inverno",
    christmas: "natal",
    christmasEve: "consoada",
    easter: "páscoa",
    today: "hoje",
    yesterday: "ontem",
    last: "último última passado passada",
    this: "este esta neste nesta",
    week: "semana",
    month: "mês",
    year: "ano",
    beforeDates: "em no na o a de do da",
    beforePeople: "de por",
    fillers:
      "um uma uns umas o a os as todos todas tudo e ou com perto à ao aos às em no na nos nas sobre do da dos das de por para meu minha meus minhas nosso nossa nossos nossas seu sua nós eu que quem onde quando fizemos era eram é são foi feito mostra procura",
    photos: "foto fotos imagem imagens",
    videos: "vídeo vídeos filme filmes",
    sounds: "áudio áudios",
    documents: "documento documentos",
    live: "live-photo",
    panoramas: "panorama panoramas panorâmica panorâmicas",
    spheres: "360 360°",
    screenshots: "captura capturas",
    favourites: "favorito favoritos favorita favoritas",
    hidden: "oculto ocultos oculta ocultas",
    archived: "arquivo arquivado arquivados arquivada arquivadas",
    stars: "estrela estrelas",
  },
};

/** What a word can mean, as {@link SearchWords} names it. */
export type Meaning = keyof SearchWords;

/** The words of a meaning in all languages, without marks on letters. */
export function wordsFor(meaning: Meaning): ReadonlySet<string> {
  let words = held.get(meaning);
  if (words === undefined) {
    words = new Set(
      SEARCH_LANGUAGES.flatMap((language) =>
        plainText(SEARCH_WORDS[language][meaning]).split(/[ |]/).filter(Boolean)
      ),
    );
    held.set(meaning, words);
  }
  return words;
}
const held = new Map<Meaning, ReadonlySet<string>>();

/** Whether a word has a meaning in any language. */
export function means(word: string, meaning: Meaning): boolean {
  return wordsFor(meaning).has(plainText(word));
}

/** The names of months or days of the week, each with all its forms. */
export function namesFor(
  meaning: "months" | "weekdays",
): readonly (readonly string[])[] {
  const [first, ...others] = SEARCH_LANGUAGES.map((language) =>
    plainText(SEARCH_WORDS[language][meaning]).split(" ")
  );
  return (first ?? []).map((name, at) => [
    ...new Set([
      name,
      ...others.flatMap((names) => names[at]?.split("|") ?? []),
    ]),
  ]);
}
