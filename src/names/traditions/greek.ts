// Greek letters.
import { alphabet, bareLetters, readLetters } from './alphabet.ts';
import type { Tradition } from './tradition.ts';

const LETTERS = alphabet(`
  μπ b "  ντ d >  γκ g g  γγ ng N  τζ tz .  τσ ts )  ου ou u  αυ av aV  ευ ev eV  αι ai e  ει ei i  οι oi i  ού ou u
  α a a  β v v  γ g '  δ d ~  ε e e  ζ z z  η i i  θ th ^  ι i 3  κ k k  λ l l  μ m m  ν n n  ξ x ks  ο o o  π p p  ρ r r
  σ s s  ς s s  τ t t  υ y i  φ f f  χ ch (  ψ ps ps  ω o o
`);

export const GREEK: Tradition = {
  writings: {
    greek: { read: (word) => readLetters(bareLetters(word), LETTERS), sounds: { mode: 'full', rank: 0 } },
  },
};
