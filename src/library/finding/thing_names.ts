/**
 * What things in pictures are called in the languages of the app, one and many,
 * and what kinds of things they are.
 *
 * @module
 */
import { THINGS } from "../../media/pictures/things.ts";
import { plainText } from "../../media/plain_text.ts";

/** English, German, French, Spanish, Italian, Dutch, Polish, Portuguese. */
const NAMES: Readonly<Record<string, string>> = {
  person:
    "person persons people human|mensch menschen person personen leute|personne personnes gens|persona personas gente|persona persone|persoon personen mens mensen|osoba osoby ludzie człowiek|pessoa pessoas",
  bicycle:
    "bicycle bicycles bike bikes|fahrrad fahrräder rad räder|vélo vélos bicyclette|bicicleta bicicletas bici|bicicletta biciclette bici|fiets fietsen|rower rowery|bicicleta bicicletas bike",
  car:
    "car cars|auto autos|voiture voitures auto|coche coches carro auto|auto automobile macchina macchine|auto auto's|samochód samochody auto|carro carros",
  motorcycle:
    "motorcycle motorcycles motorbike motorbikes|motorrad motorräder|moto motos|moto motos motocicleta|moto motocicletta motociclette|motor motoren motorfiets|motocykl motocykle|moto motos motocicleta",
  airplane:
    "airplane airplanes aeroplane plane planes aircraft|flugzeug flugzeuge|avion avions|avión aviones|aereo aerei|vliegtuig vliegtuigen|samolot samoloty|avião aviões",
  bus:
    "bus buses|bus busse|bus autobus|autobús autobuses bus|autobus pullman|bus bussen|autobus autobusy|ônibus",
  train:
    "train trains|zug züge bahn|train trains|tren trenes|treno treni|trein treinen|pociąg pociągi|trem trens",
  truck:
    "truck trucks lorry lorries|lastwagen lkw laster|camion camions|camión camiones|camion|vrachtwagen vrachtwagens|ciężarówka ciężarówki|caminhão caminhões",
  boat:
    "boat boats ship ships|boot boote schiff schiffe|bateau bateaux|barco barcos|barca barche nave navi|boot boten schip schepen|łódź łodzie statek statki|barco barcos navio",
  "traffic-light":
    "traffic light lights|ampel ampeln|feu feux|semáforo semáforos|semaforo semafori|verkeerslicht verkeerslichten stoplicht|sygnalizator światła|semáforo semáforos",
  hydrant:
    "hydrant hydrants|hydrant hydranten|bouche d'incendie|boca hidrante|idrante idranti|brandkraan|hydrant hydranty|hidrante hidrantes",
  "stop-sign":
    "stop sign signs|stoppschild stoppschilder|panneau stop|señal stop|cartello stop|stopbord|znak stop|placa pare",
  "parking-meter":
    "parking meter meters|parkuhr parkuhren|parcmètre|parquímetro|parchimetro|parkeermeter|parkometr|parquímetro",
  bench:
    "bench benches|bank bänke|banc bancs|banco bancos|panchina panchine|bank banken|ławka ławki|banco bancos",
  bird:
    "bird birds|vogel vögel|oiseau oiseaux|pájaro pájaros ave aves|uccello uccelli|vogel vogels|ptak ptaki|pássaro pássaros ave aves",
  cat:
    "cat cats kitten kittens|katze katzen kätzchen|chat chats chaton|gato gatos gatito|gatto gatti gattino|kat katten poes|kot koty kotek|gato gatos gatinho",
  dog:
    "dog dogs puppy puppies|hund hunde welpe welpen|chien chiens chiot|perro perros cachorro|cane cani cucciolo|hond honden puppy|pies psy piesek|cachorro cachorros cão cães",
  horse:
    "horse horses|pferd pferde|cheval chevaux|caballo caballos|cavallo cavalli|paard paarden|koń konie|cavalo cavalos",
  sheep:
    "sheep|schaf schafe|mouton moutons|oveja ovejas|pecora pecore|schaap schapen|owca owce|ovelha ovelhas",
  cow:
    "cow cows cattle|kuh kühe|vache vaches|vaca vacas|mucca mucche|koe koeien|krowa krowy|vaca vacas",
  elephant:
    "elephant elephants|elefant elefanten|éléphant éléphants|elefante elefantes|elefante elefanti|olifant olifanten|słoń słonie|elefante elefantes",
  bear:
    "bear bears|bär bären|ours|oso osos|orso orsi|beer beren|niedźwiedź niedźwiedzie|urso ursos",
  zebra:
    "zebra zebras|zebra zebras|zèbre zèbres|cebra cebras|zebra zebre|zebra zebra's|zebra zebry|zebra zebras",
  giraffe:
    "giraffe giraffes|giraffe giraffen|girafe girafes|jirafa jirafas|giraffa giraffe|giraf giraffen|żyrafa żyrafy|girafa girafas",
  backpack:
    "backpack backpacks rucksack|rucksack rucksäcke|sac à dos|mochila mochilas|zaino zaini|rugzak rugzakken|plecak plecaki|mochila mochilas",
  umbrella:
    "umbrella umbrellas|regenschirm regenschirme schirm|parapluie parapluies|paraguas|ombrello ombrelli|paraplu paraplu's|parasol parasole|guarda-chuva guarda-chuvas",
  handbag:
    "handbag handbags bag|handtasche handtaschen|sac à main|bolso bolsos|borsa borse|handtas handtassen|torebka torebki|bolsa bolsas",
  tie:
    "tie ties|krawatte krawatten|cravate cravates|corbata corbatas|cravatta cravatte|stropdas stropdassen|krawat krawaty|gravata gravatas",
  suitcase:
    "suitcase suitcases luggage|koffer|valise valises|maleta maletas|valigia valigie|koffer koffers|walizka walizki|mala malas",
  frisbee: "frisbee",
  skis:
    "ski skis|ski skier|ski skis|esquí esquís|sci|ski ski's|narty|esqui esquis",
  snowboard: "snowboard snowboards",
  ball:
    "ball balls|ball bälle|ballon ballons balle|balón pelota|palla palle pallone|bal ballen|piłka piłki|bola bolas",
  kite:
    "kite kites|drachen|cerf-volant cerfs-volants|cometa cometas|aquilone aquiloni|vlieger vliegers|latawiec latawce|pipa pipas",
  "baseball-bat":
    "baseball bat|baseballschläger|batte|bate|mazza|knuppel|kij|taco",
  "baseball-glove":
    "baseball glove|baseballhandschuh|gant|guante|guantone|handschoen|rękawica|luva",
  skateboard: "skateboard skateboards|skate|monopatín|deskorolka",
  surfboard:
    "surfboard surfboards|surfbrett surfbretter|planche de surf|tabla de surf|tavola da surf|surfplank surfplanken|deska surfingowa|prancha",
  racket:
    "tennis racket rackets|tennisschläger|raquette raquettes|raqueta raquetas|racchetta racchette|tennisracket|rakieta rakiety|raquete raquetes",
  bottle:
    "bottle bottles|flasche flaschen|bouteille bouteilles|botella botellas|bottiglia bottiglie|fles flessen|butelka butelki|garrafa garrafas",
  "wine-glass":
    "wine glass glasses|weinglas weingläser|verre verres vin|copa copas|bicchiere bicchieri|wijnglas wijnglazen|kieliszek kieliszki|taça taças",
  cup:
    "cup cups mug|tasse tassen becher|tasse tasses|taza tazas|tazza tazze|kop kopje kopjes|filiżanka kubek|xícara xícaras",
  fork:
    "fork forks|gabel gabeln|fourchette fourchettes|tenedor tenedores|forchetta forchette|vork vorken|widelec widelce|garfo garfos",
  knife:
    "knife knives|messer|couteau couteaux|cuchillo cuchillos|coltello coltelli|mes messen|nóż noże|faca facas",
  spoon:
    "spoon spoons|löffel|cuillère cuillères|cuchara cucharas|cucchiaio cucchiai|lepel lepels|łyżka łyżki|colher colheres",
  bowl:
    "bowl bowls|schüssel schüsseln schale|bol bols|cuenco cuencos|ciotola ciotole|kom kommen schaal|miska miski|tigela tigelas",
  banana:
    "banana bananas|banane bananen|banane bananes|plátano plátanos|banana banane|banaan bananen|banan banany|banana bananas",
  apple:
    "apple apples|apfel äpfel|pomme pommes|manzana manzanas|mela mele|appel appels|jabłko jabłka|maçã maçãs",
  sandwich:
    "sandwich sandwiches|sandwich belegtes brot|sandwich sandwichs|bocadillo bocadillos|panino panini|broodje broodjes|kanapka kanapki|sanduíche sanduíches",
  orange:
    "orange oranges|orange orangen|orange oranges|naranja naranjas|arancia arance|sinaasappel sinaasappels|pomarańcza pomarańcze|laranja laranjas",
  broccoli: "broccoli|brokkoli|brocoli|brócoli|brokuł brokuły|brócolis",
  carrot:
    "carrot carrots|karotte karotten möhre möhren|carotte carottes|zanahoria zanahorias|carota carote|wortel wortels|marchewka marchewki|cenoura cenouras",
  "hot-dog": "hotdog hotdogs hot-dog|hotdogs|perrito caliente|cachorro-quente",
  pizza: "pizza pizzas|pizzen|pizze|pizza's|pizze|pizzas",
  donut:
    "donut donuts doughnut doughnuts|beignet|rosquilla|ciambella|pączek|rosquinha",
  cake:
    "cake cakes|kuchen torte torten|gâteau gâteaux|pastel pasteles tarta tartas|torta torte|taart taarten|ciasto tort torty|bolo bolos",
  chair:
    "chair chairs|stuhl stühle|chaise chaises|silla sillas|sedia sedie|stoel stoelen|krzesło krzesła|cadeira cadeiras",
  couch:
    "couch couches sofa sofas|sofa sofas couch|canapé canapés|sofá sofás|divano divani|bank sofa|kanapa sofa|sofá sofás",
  plant:
    "plant plants|pflanze pflanzen|plante plantes|planta plantas|pianta piante|plant planten|roślina rośliny|planta plantas",
  bed:
    "bed beds|bett betten|lit lits|cama camas|letto letti|bed bedden|łóżko łóżka|cama camas",
  table:
    "table tables|tisch tische|table tables|mesa mesas|tavolo tavoli|tafel tafels|stół stoły|mesa mesas",
  toilet:
    "toilet toilets|toilette toiletten|toilettes|inodoro|gabinetto|toilet wc|toaleta|vaso sanitário",
  television:
    "television televisions tv|fernseher|télévision téléviseur|televisión televisor|televisione televisore|televisie televisies|telewizor telewizory|televisão televisões",
  laptop:
    "laptop laptops|notebook|ordinateur portable|portátil|portatile|laptops|laptopy|notebook",
  mouse:
    "computer mouse|computermaus maus|souris|ratón|mouse|computermuis muis|mysz|mouse",
  remote:
    "remote control|fernbedienung|télécommande|mando|telecomando|afstandsbediening|pilot|controle remoto",
  keyboard:
    "keyboard keyboards|tastatur tastaturen|clavier claviers|teclado teclados|tastiera tastiere|toetsenbord toetsenborden|klawiatura klawiatury|teclado teclados",
  phone:
    "phone phones mobile cell smartphone|handy handys telefon|téléphone téléphones|teléfono teléfonos móvil|telefono telefoni cellulare|telefoon telefoons|telefon telefony|telefone telefones celular",
  microwave:
    "microwave microwaves|mikrowelle|micro-ondes|microondas|microonde|magnetron|mikrofalówka|micro-ondas",
  oven:
    "oven ovens|ofen öfen backofen|four fours|horno hornos|forno forni|oven ovens|piekarnik|forno fornos",
  toaster:
    "toaster toasters|toaster|grille-pain|tostadora|tostapane|broodrooster|toster|torradeira",
  sink:
    "sink sinks|waschbecken spüle|évier lavabo|fregadero lavabo|lavandino|gootsteen wastafel|zlew umywalka|pia pias",
  refrigerator:
    "refrigerator fridge fridges|kühlschrank kühlschränke|réfrigérateur frigo|nevera frigorífico|frigorifero frigo|koelkast koelkasten|lodówka lodówki|geladeira geladeiras",
  book:
    "book books|buch bücher|livre livres|libro libros|libro libri|boek boeken|książka książki|livro livros",
  clock:
    "clock clocks|uhr uhren|horloge horloges|reloj relojes|orologio orologi|klok klokken|zegar zegary|relógio relógios",
  vase:
    "vase vases|vase vasen|vase vases|jarrón jarrones|vaso vasi|vaas vazen|wazon wazony|vaso vasos",
  scissors:
    "scissors|schere scheren|ciseaux|tijeras|forbici|schaar scharen|nożyczki|tesoura tesouras",
  "teddy-bear":
    "teddy teddies|teddybär teddybären teddy|peluche peluches|peluche osito|orsacchiotto peluche|teddybeer teddyberen|miś misie pluszowy|ursinho pelúcia",
  "hair-dryer":
    "hair dryer|föhn haartrockner|sèche-cheveux|secador|asciugacapelli|föhn haardroger|suszarka|secador",
  toothbrush:
    "toothbrush toothbrushes|zahnbürste zahnbürsten|brosse à dents|cepillo de dientes|spazzolino|tandenborstel|szczoteczka|escova de dentes",
};

/** Kinds of things, and what they are called. */
const KINDS: readonly (readonly [things: string, names: string])[] = [
  [
    "bird cat dog horse sheep cow elephant bear zebra giraffe",
    "animal animals|tier tiere|animal animaux|animal animales|animale animali|dier dieren|zwierzę zwierzęta|animal animais",
  ],
  [
    "cat dog",
    "pet pets|haustier haustiere|mascota mascotas|huisdier huisdieren",
  ],
  [
    "bicycle car motorcycle airplane bus train truck boat",
    "vehicle vehicles|fahrzeug fahrzeuge|véhicule véhicules|vehículo vehículos|veicolo veicoli|voertuig voertuigen|pojazd pojazdy|veículo veículos",
  ],
  [
    "banana apple sandwich orange broccoli carrot hot-dog pizza donut cake",
    "food|essen|nourriture repas|comida|cibo|eten|jedzenie|comida",
  ],
  [
    "banana apple orange",
    "fruit fruits|obst|fruit fruits|fruta frutas|frutta|fruit|owoce owoc|fruta frutas",
  ],
];

/** The names of each thing by its number, one a line, as `plainText` has them. */
const TEXTS: readonly string[] = THINGS.map((thing) => {
  const kinds = KINDS.filter(([things]) => things.split(" ").includes(thing))
    .map(([, names]) => names);
  const words = plainText([NAMES[thing] ?? "", ...kinds].join(" "))
    .split(/[ |]+/)
    // Little words of names that have several.
    .filter((word) => word.length > 1 && !/^(?:de|da|en|d'.*)$/.test(word));
  return [...new Set(words)].join("\n");
});

/** The names of each thing by its number, as they are written. */
const WRITTEN: readonly (readonly string[])[] = THINGS.map((thing) =>
  (NAMES[thing] ?? "").split(/[ |]+/)
);

/**
 * Names that begin as a text (as `plainText` has it) does, one for each of the
 * things by their numbers, in the language that fits first.
 */
export function thingsLike(
  typed: string,
  things: Iterable<number>,
): readonly string[] {
  const names = new Set<string>();
  for (const thing of things) {
    const name = WRITTEN[thing]?.find((one) =>
      plainText(one).startsWith(typed)
    );
    if (name !== undefined) names.add(name);
  }
  return [...names];
}

const held = new Map<string, string>();

/**
 * The names of things by their numbers, one a line: the same text for the same
 * things, which searches compare by.
 */
export function thingNames(things: Uint8Array | undefined): string {
  if (things === undefined || things.length === 0) return "";
  const key = things.join();
  let text = held.get(key);
  if (text === undefined) {
    text = [...things].map((thing) => TEXTS[thing] ?? "").join("\n");
    held.set(key, text);
  }
  return text;
}
