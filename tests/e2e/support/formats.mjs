// A small game in each of the forms that records come in, as the programs and servers write them.
import { gzipSync } from 'node:zlib'
import { zipOf } from './zip.mjs'

/** Tygem writes names in EUC-KR: here the three syllables of 흑돌이. */
const GIB = Buffer.concat([
  Buffer.from('\\HS\r\n\\[GAMENAME=Ladder game\\]\r\n\\[GAMEDATE=2008- 5- 1-15-21- 3\\]\r\n\\[GAMEPLACE=Tygem\\]\r\n\\[GAMEBLACKNAME='), Buffer.from('c8e6b5b9c0cc', 'hex'),
  Buffer.from(' (9D)\\]\r\n\\[GAMEWHITENAME=baekdol (8D)\\]\r\n\\[GAMEINFOMAIN=GBKIND:0,GTYPE:0,GCDT:200,GTIME:1200-30-3,GRLT:1,ZIPSU:35,DUM:0,GONGJE:65,TCNT:3,AUSZ:3\\]\r\n\\HE\r\n'
    + '\\GS\r\n2 1 0\r\n3 &4\r\nINI 0 1 0 &4\r\nSTO 0 2 1 15 3\r\nSTO 0 3 2 3 15\r\nSKI 0 4\r\n\\GE\r\n'),
])
const NGF = 'Rating game\n19\nkarasu   8D*\nsuzume   7D\nwww.cyberoro.com\n0\n0\n6\n20110130 [14:04]\n5\nWhite wins by resign\n3\nPMABBQEQE\nPMACWEQEQ\nPMADBAAAA\n'
const UGF = '[Header]\nLang=ENG\nCoordinateType=IGS\nSize=19\nHdcp=0,6.5\nTitle=Some Cup\nPlace=Tokyo\nDate=2010/04/02\nPlayerB=Takemiya,9p\nPlayerW=Cho,9p\nWinner=B,R\n[Files]\n[Data]\nPD,B1,1,0\nDP,W1,2,12\n[Figure]\n[EOF]\n'

/** Each with its bytes, a player whom the window names, and its moves. */
export const FORMATS = [
  { name: 'tygem.gib', bytes: GIB, player: '흑돌이', moves: 3 },
  { name: 'oro.ngf', bytes: Buffer.from(NGF), player: 'suzume', moves: 3 },
  { name: 'panda.ugf', bytes: Buffer.from(UGF), player: 'Takemiya', moves: 2 },
  { name: 'one.zip', bytes: zipOf([{ name: 'inside.sgf', text: '(;GM[1]FF[4]SZ[9]PB[Zipper]PW[Button];B[ee];W[ge];B[cc];W[gg])' }]), player: 'Zipper', moves: 4 },
  { name: 'one.sgf.gz', bytes: gzipSync('(;GM[1]FF[4]SZ[9]PB[Presser]PW[Button];B[ee];W[ge];B[cc];W[gg];B[gc])'), player: 'Presser', moves: 5 },
]
