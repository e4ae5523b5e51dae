// Alphabets, letter by letter: `letter latin sound`; `-` is nothing. Longer sequences come first.
// Latin: BGN/PCGN-like, without marks. Sounds: symbols of phonemes.ts.
function table(text) {
    return text
        .trim()
        .split(/\s*\n\s*/)
        .flatMap((line) => line.split(/\s{2,}/))
        .map((cell) => {
        const [letter, latin, sound] = cell.split(' ');
        const plain = (part) => (part === '-' ? '' : part);
        return [letter, plain(latin), plain(sound ?? latin)];
    });
}
const cyrillic = table(`
  дж j +  дз dz .  си si :i  сю syu :u  ся sya :a  сё se :o  ти ti ;i  тю tyu ;u  тё te ;o  тя tya ;a  тц tz T  кс ks ks  кх kh X  щ shch S  ж zh Z  ч ch C  ш sh S  ц ts )  х kh (  ю yu y5  я ya ya  ё e o  є ye ye  ї yi i  э e e
  а a a  б b b  в v v  г g '  ґ g g  д d d  е e e  з z z  и i i  і i i  й y 3  к k k  л l l  м m m  н n n  о o o  п p p  р r r  с s s
  т t t  у u u  ў w u  ф f f  ъ - -  ь - -  ы y i  ј j y  љ lj ly  њ nj ny  ђ dj J  ћ c C  џ dz J  ѓ gj g  ќ kj k  ѕ dz T
  ә a a  ғ g Y  қ k q  ң ng N  ө o o  ұ u u  ү u u  һ h H  ҳ h H  ҷ j J  ӣ i i  ӯ u u  җ j J
`);
const greek = table(`
  μπ b "  ντ d >  γκ g g  γγ ng N  τζ tz .  τσ ts )  ου ou u  αυ av aV  ευ ev eV  αι ai e  ει ei i  οι oi i  ού ou u
  α a a  β v v  γ g '  δ d ~  ε e e  ζ z z  η i i  θ th ^  ι i 3  κ k k  λ l l  μ m m  ν n n  ξ x ks  ο o o  π p p  ρ r r
  σ s s  ς s s  τ t t  υ y i  φ f f  χ ch (  ψ ps ps  ω o o
`);
const arabic = table(`
  تش ch C  دج j +  نغ ng N  ا a A  أ a A  إ i A  آ a A  ٱ a A  ب b "  ت t t  ث th ^  ج j G  ح h H  خ kh X  د d d  ذ dh ~  ر r r  ز z z  س s s  ش sh S
  ص s s  ض d ~  ط t t  ظ z ~  ع a A  غ gh Y  ف f f  ق q q  ك k k  ل l l  م m m  ن n n  ه h H  و w V  ي y E  ى a A
  ة a A  ء - -  ؤ w V  ئ y E  پ p p  چ ch C  ژ zh Z  گ g g  ک k k  ی y E  ڤ v v  ڨ g g  ہ h H  ے e E  ں n n  ٹ t t  ڈ d d  ڑ r r  ھ h H  ۆ o V  ێ e E  ە a A
  َ a a  ِ i i  ُ u u  ّ - -
`);
const hebrew = table(`
  ג׳ j J  ג' j J  ז׳ zh Z  ז' zh Z  צ׳ ch C  ץ׳ ch C  צ' ch C  ץ' ch C  וו v w  יי y E  א a A  ב b B  ג g g  ד d d  ה h H  ו v V  ז z z  ח h (
  ט t t  י y E  כ k (  ך k (  ל l l  מ m m  ם m m  נ n n  ן n n  ס s s  ע a A  פ p P  ף f P  צ tz )  ץ tz )  ק k k
  ר r r  ש sh :  ת t ^
`);
const thai = table(`
  ก k <  ข kh &  ฃ kh &  ค kh &  ฅ kh &  ฆ kh &  ง ng N  จ ch ?  ฉ ch C  ช ch C  ซ s s  ฌ ch C  ญ y n  ฎ d >  ฏ t >  ฐ th ^  ฑ th >  ฒ th ^
  ณ n n  ด d >  ต t >  ถ th ^  ท th ^  ธ th ^  น n n  บ b =  ป p =  ผ ph P  ฝ f f  พ ph P  ฟ f f  ภ ph P  ม m m  ย y E  ร r R  ล l R  ว w V
  ศ s s  ษ s s  ส s s  ห h H  ฬ l R  อ o A  ฮ h h  ะ a a  ั a a  า a a  ำ am am  ิ i i  ี i i  ึ ue u  ื ue u  ุ u u  ู u u  เ e e  แ ae e  โ o o  ใ ai a3  ไ ai a3
  ฤ rue Ru  ็ - -  ่ - -  ้ - -  ๊ - -  ๋ - -
`);
const alphabets = {};
for (const [name, letters] of Object.entries({ cyrillic, greek, arabic, hebrew, thai }))
    alphabets[name] = new Map(letters.map(([letter, latin, sound]) => [letter, [latin, sound]]));
/** Reads a word by an alphabet; letters that the alphabet lacks are left out. */
export function readLetters(word, alphabet) {
    const letters = alphabets[alphabet];
    let text = '';
    let sound = '';
    for (let i = 0; i < word.length;) {
        const pair = letters.get(word.slice(i, i + 2));
        const found = pair ?? letters.get(word[i]);
        i += pair ? 2 : 1;
        if (!found)
            continue;
        text += found[0];
        if (found[1] && !sound.endsWith(found[1]))
            sound += found[1];
    }
    return { text, sound };
}
/** Thai vowels that are written before the consonant they follow, and letters that a mark silences. */
export function thaiOrder(word) {
    return word.replace(/[ก-ฮ][ิุ]?\u0e4c/gu, '').replace(/([เแโใไ])([ก-ฮ])/gu, '$2$1');
}
